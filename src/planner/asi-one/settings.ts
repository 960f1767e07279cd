/** The models that offer planner mode (docs.asi1.ai, planner page). Any other name is answered with 404. */
export const VALID_MODELS = ['asi1', 'asi1-mini', 'asi1-ultra'] as const;

const PREFIX = 'agent1';
const ADDRESS_LENGTH = 65;
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;

/**
 * What is wrong with an agent's address, as the end of a sentence that begins with the address; null when it is good.
 *
 * A good one is `agent` in bech32 over a 33-byte compressed public key: 65 lower-case characters, `agent1q…`
 * (uAgents, `identity.py` and `config.py`; the checksum held for eight published addresses).
 */
export function agentAddressProblem(address: string): string | null {
  if (address.includes('://')) return 'has a scheme: give the bare address, without "agent://"';
  if (address !== address.toLowerCase()) return 'has upper-case letters: an agent address is all lower case';
  if (!address.startsWith(PREFIX)) return `does not start with "${PREFIX}"`;
  if (address.length !== ADDRESS_LENGTH) return `has ${address.length} characters instead of ${ADDRESS_LENGTH}`;
  const data = address.slice(PREFIX.length);
  const stranger = [...data].find((char) => !CHARSET.includes(char));
  if (stranger !== undefined) return `has a "${stranger}", which no agent address contains`;
  // A compressed key starts with byte 2 or 3, which fixes the first character and narrows the second.
  if (!/^q[gf2tvdw0]/.test(data)) return 'is not the address of a compressed public key';
  if (!hasValidChecksum(data)) return 'has a wrong checksum: a character is mistyped';
  return null;
}

/** BIP 173 with the constant 1 (bech32, not bech32m) and the human-readable part `agent`. */
function hasValidChecksum(data: string): boolean {
  const hrp = [...'agent'].map((char) => char.charCodeAt(0));
  const values = [...hrp.map((code) => code >> 5), 0, ...hrp.map((code) => code & 31)];
  for (const char of data) values.push(CHARSET.indexOf(char));
  return polymod(values) === 1;
}

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((generator, bit) => {
      if ((top >>> bit) & 1) checksum ^= generator;
    });
  }
  return checksum;
}
