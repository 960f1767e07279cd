const METHOD = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:/-]{0,38}[A-Za-z0-9])?$/;
const PAYEE = /^[!-~]{2,200}$/;
const AGENT = /^agent1[a-z0-9]+$/;
const AGENT_PREFIX = /^(?:test-)?agent:\/\/(?:@?[a-z0-9._-]+\/)?(?=agent1)/;

/**
 * A payment method in the form in which two are compared: lower case, with `_` between words, so that `Fet-Direct`
 * does not slip past a rule for `fet_direct`. Null when it is no plain ASCII word: look-alikes are not compared.
 */
export function methodKey(method: string): string | null {
  const text = method.trim();
  return METHOD.test(text) ? text.toLowerCase().replace(/[\s._-]+/g, '_') : null;
}

/**
 * A payee's address in the form in which two are compared: lower case, an agent's without `agent://`. Null when there
 * is none or it is no plain ASCII word, or when it holds an agent's address with more around it, which a list of agents
 * would not know (`agent1q…/`). A payee's name is never compared, because agents choose their own.
 */
export function payeeKey(address: string | null): string | null {
  const text = address?.trim() ?? '';
  if (!PAYEE.test(text)) return null;
  const key = text.toLowerCase().replace(AGENT_PREFIX, '');
  return key.includes('agent1') && !AGENT.test(key) ? null : key;
}
