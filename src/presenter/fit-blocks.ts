import type { KnownBlock } from '@slack/types';
import { weightedBytes } from './blocks.ts';

/** The first blocks that fit; `isCut` says that there were more. */
export function fitBlocks(
  blocks: readonly KnownBlock[],
  room: { blocks: number; bytes: number },
): { kept: KnownBlock[]; isCut: boolean } {
  const kept: KnownBlock[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += weightedBytes([block]);
    if (kept.length >= room.blocks || bytes > room.bytes) return { kept, isCut: true };
    kept.push(block);
  }
  return { kept, isCut: false };
}
