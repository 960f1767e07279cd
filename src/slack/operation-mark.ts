import { extname } from 'node:path';

/** `event_type` of every message that Steward posts; Slack shows metadata to every app of the workspace. */
const EVENT_TYPE = 'steward_message';

/** What is read of a message to tell whose and which it is. */
export type MarkedMessage = {
  metadata?: { event_type?: string; event_payload?: object };
  files?: ReadonlyArray<{ name?: string }>;
};

/** The metadata that lets a post be found again: the operation id and nothing else. */
export function operationMetadata(operationId: string): {
  event_type: string;
  event_payload: { operation_id: string };
} {
  return { event_type: EVENT_TYPE, event_payload: { operation_id: operationId } };
}

/** The name of an uploaded file: uploads carry no metadata, so the operation id is the name and its title the rest. */
export function operationFileName(operationId: string, name: string): string {
  return `${operationId}${extname(name) || '.txt'}`;
}

export function carriesOperation(message: MarkedMessage, operationId: string): boolean {
  const payload = message.metadata?.event_type === EVENT_TYPE ? message.metadata.event_payload : undefined;
  if (payload && 'operation_id' in payload && payload.operation_id === operationId) return true;
  return message.files?.some((file) => file.name?.startsWith(`${operationId}.`)) === true;
}
