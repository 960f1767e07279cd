/** Joins neighbouring parts as long as they fit into `max` characters, `gap` between them. */
export function pack(parts: readonly string[], max: number, gap = '\n'): string[] {
  const packed: string[] = [];
  for (const part of parts) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + gap.length + part.length <= max)
      packed[packed.length - 1] = last + gap + part;
    else packed.push(part);
  }
  return packed;
}
