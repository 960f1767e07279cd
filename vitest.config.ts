import { defineConfig } from 'vitest/config';

/** Limits for a busy machine: a test that passes does not wait for them. */
const common = { testTimeout: 120_000, hookTimeout: 120_000 };
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
