import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { dropSecrets, readExactWord, readWord } from '../values/received-text.ts';
import { readClean } from './clean-text.ts';
import { firstOf, PAYMENT_ALIASES } from './payment-aliases.ts';

const MAX_NAME_CHARS = 200;
const MAX_ADDRESS_CHARS = 200;

/** Who the planner was talking to, from a task's or the plan's object. */
export function readAgentParty(record: JsonRecord): Party {
  return readParty(record, PAYMENT_ALIASES.agent);
}

/** Whatever the request calls its recipient, whole; a wallet and an agent's address are usual. */
function readRecipient(value: unknown): string | undefined {
  const word = readExactWord(value, MAX_ADDRESS_CHARS);
  return word === undefined || dropSecrets(word) !== word ? undefined : word;
}

export type Party = { name?: string | undefined; address?: string | undefined };

/** Who is paid: the planner's own name for the agent before the name that the request gives itself; and who else asks. */
export function readPayee(request: JsonRecord, agent: Party): Party & { asker: string | undefined } {
  const payee = readParty(request, PAYMENT_ALIASES.payee);
  const isNamed = readWord(own(request, 'recipient')) !== undefined;
  const recipient = readRecipient(own(request, 'recipient'));
  const ownName = firstOf(request, PAYMENT_ALIASES.payeeName, (value) => readClean(readWord(value), MAX_NAME_CHARS));
  const ownAddress = firstOf(request, PAYMENT_ALIASES.payeeAddress, readAddress);
  // Nobody may stand in for a recipient that cannot be shown as it is.
  const address = isNamed ? recipient : (ownAddress ?? payee.address ?? agent.address);
  const asker = addressKey(address) === addressKey(agent.address) ? undefined : agent.address;
  return { name: agent.name ?? ownName ?? payee.name, address, asker };
}

/** An address in the form in which two are compared: an agent's without its prefix, all in one case. */
function addressKey(address: string | undefined): string | undefined {
  return address?.toLowerCase().replace(/^(?:test-)?agent:\/\/(?:@?[\w.-]+\/)?/, '');
}

function readParty(record: JsonRecord, keys: readonly string[]): Party {
  const party: Party = {};
  for (const key of keys) {
    const value = own(record, key);
    const [name, address] = isRecord(value)
      ? [own(value, 'name') ?? own(value, 'handle'), own(value, 'address')]
      : [value, value];
    party.address ??= readAddress(address);
    // A bare recipient is kept as the address, whatever it is.
    const isName = readAddress(name) === undefined && (key !== 'recipient' || isRecord(value));
    if (isName) party.name ??= readClean(readWord(name), MAX_NAME_CHARS);
  }
  return party;
}

/** An address of an agent or of a wallet. */
function readAddress(value: unknown): string | undefined {
  const word = typeof value === 'string' ? readExactWord(value, MAX_ADDRESS_CHARS) : undefined;
  return word !== undefined && /^(?:(?:test-)?agent(?:1|:\/\/)|fetch1|0x)\S*$/.test(word) ? word : undefined;
}
