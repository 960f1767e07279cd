/** The models that offer planner mode (docs.asi1.ai, planner page). Any other name is answered with 404. */
export const VALID_MODELS = ['asi1', 'asi1-mini', 'asi1-ultra'] as const;
