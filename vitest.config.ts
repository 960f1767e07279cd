import { defineConfig } from 'vitest/config';

/** Tests that open databases take a core each while they start; more at once only makes them slower. */
const common = { testTimeout: 30_000, hookTimeout: 60_000 };
const embedded = { ...common, globalSetup: ['test/support/embedded-template.ts'] };

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'unit', include: ['test/unit/**/*.test.ts', 'test/*.test.ts'] } },
      { test: { ...embedded, name: 'contract', include: ['test/contract/**/*.test.ts'] } },
      { test: { ...embedded, name: 'flow', include: ['test/flow/**/*.test.ts'] } },
    ],
  },
});
