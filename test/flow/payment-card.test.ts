import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { createPayments, PAYEE, paymentScript, policyFile } from '../support/payments.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;
const SECRETS = /secret_never_show|pk_test_sandbox|amount_cents|ui_mode|fetch1sandbox|stable-testnet/;

const policy = policyFile(`caps:
  user-per-day: { USD: 1000, EUR: 100, other: unlimited }
rules:
  - name: all
    approvers: [requester]
`);
const logged: string[] = [];
const log = { write: (line: string) => void logged.push(line) };
const env = { POLICY_FILE: policy.path, PAYMENT_RETYPE_ABOVE: '50 USD' };
const stage = useStage({ env, log, logLevel: 'debug', planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);

describe("a payment's card", () => {
  it('says to whom, how much, by which method, for what, until when, who may decide and what was spent', async () => {
    const thread = await pay.ask('card-terms', 'payment');
    const text = pay.cardText(thread);
    for (const words of [
      'Report Desk',
      'agent1qfnjsu…7jm5h5tdr9'.slice(0, 13),
      '2.00 USD',
      'stripe',
      '$2.00 - full report',
    ])
      expect(text).toContain(words);
    for (const words of ['3f0c7b1e', 'about 5 min', `<@${alice}> (who asked)`, 'I move no money myself'])
      expect(text).toContain(words);
    expect(text).toMatch(/Today by whoever asked: 0 of 1000 USD/);
    expect(text).not.toContain(PAYEE);
    expect(text).not.toContain('typed again');
  });

  it('offers the checkout page as a link button that names its host', async () => {
    const thread = await pay.ask('card-link', 'payment');
    const card = pay.cardOf(thread);
    const links = card.blocks
      .flatMap(({ elements }) => (Array.isArray(elements) ? elements : []))
      .filter(({ url }) => url);
    expect(links.map(({ url }) => url)).toEqual(['https://checkout.stripe.com/c/pay/cs_test_sandbox']);
    expect(buttonsOf(card).join()).toContain('checkout.stripe.com');
    const pressed = await stage.slack.click({ messageTs: card.ts, text: buttonsOf(card).at(-1) ?? '' });
    expect(pressed.acked).toBe(true);
    expect(pay.cardOf(thread).versions).toHaveLength(1);
  });

  it('links to https pages alone', async () => {
    const thread = await pay.ask('card-links', 'payment-links');
    const urls = JSON.stringify(pay.cardOf(thread).blocks).match(/"url":"[^"]*"/g) ?? [];
    expect(urls.length).toBeGreaterThan(0);
    expect(urls.filter((url) => !url.startsWith('"url":"https://'))).toEqual([]);
    expect(urls.join()).not.toMatch(/@|client_secret|javascript|data:/);
  });

  it('keeps its bounds and pings nobody whatever the terms hold', async () => {
    const thread = await pay.ask('card-hostile', 'payment-hostile');
    const card = pay.cardOf(thread);
    expect(stage.slack.pings(card).filter((ping) => ping !== `@${alice}`)).toEqual([]);
    expect(textOf(card)).not.toMatch(/undefined|\[object Object\]|[\u202a-\u202e]/);
    expect(buttonsOf(card)).toContain('Decline');
    await pay.decline(thread);
    await pay.says(thread, 'declined');
    const told = String(pay.requestsFor('card-hostile').at(-1)?.messages.at(-1)?.content);
    expect(told).not.toMatch(/<stripe:|:CONFIRM>/i);
  });
});

describe('the window that approves', () => {
  it('repeats the terms with the address in full, and opens before anything is decided', async () => {
    const thread = await pay.ask('window-terms', 'payment');
    await pay.open(thread, 'Approve…');
    for (const words of [PAYEE, '2.00 USD', 'stripe', '$2.00 - full report', '3f0c7b1e'])
      expect(pay.windowText()).toContain(words);
    await pay.closeWindows();
    expect(pay.cardOf(thread).versions).toHaveLength(1);
    expect(pay.requestsFor('window-terms')).toHaveLength(1);
  });

  it('takes the chosen one of two ways to pay, and tells the planner exactly that', async () => {
    const thread = await pay.ask('window-options', 'payment-options');
    expect(pay.cardText(thread)).toContain('has to be typed again');
    expect(pay.cardText(thread)).toContain('2.00 USD (stripe)');
    expect(pay.cardText(thread)).toContain('8.000000000000000001 FET (fet_direct)');
    const view = await pay.open(thread, 'Approve…');
    await expect(stage.slack.submitView({ viewId: view.id })).rejects.toThrow();
    const none = await stage.slack.submitView({ viewId: view.id, unchecked: true });
    expect(JSON.stringify(none.errors)).toContain('choose');
    const second = { 'Pay which way?': '2. 8.000000000000000001 FET (fet_direct)' };
    const first = { ...second, 'Type the amount again': '2.00' };
    const other = await stage.slack.submitView({ viewId: view.id, values: first });
    expect(JSON.stringify(other.errors)).toContain('8.000000000000000001 FET');
    const values = { ...second, 'Type the amount again': '8.000000000000000001 FET' };
    await stage.slack.submitView({ viewId: view.id, values });
    await pay.answered(thread, 'Paid in FET');
    const requests = pay.requestsFor('window-options');
    expect(requests).toHaveLength(2);
    const [asked, resume] = requests;
    expect(resume?.sessionId).toBe(asked?.sessionId);
    expect(resume?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(resume?.messages.at(-1)?.content).toMatch(/approve.*8\.000000000000000001 FET.*agent1qfnj/);
    expect(resume?.messages.at(-1)?.content).not.toContain('2.00 USD');
    expect(pay.cardText(thread)).toContain(`<@${alice}> approved`);
    expect(pay.cardText(thread)).toContain('8.000000000000000001 FET');
    await pay.says(thread, 'its plan went on');
  });

  it('wants a large amount typed again, with its currency or without, and in no other', async () => {
    const thread = await pay.ask('window-retype', paymentScript('75.50 USD'));
    expect(pay.cardText(thread)).toContain('has to be typed again');
    const view = await pay.open(thread, 'Approve…');
    for (const wrong of ['75', '75.5 EUR', 'USD', '755.0', '75,50', '-75.50', '7.55e1']) {
      const values = { 'Type the amount again': wrong };
      const refused = await stage.slack.submitView({ viewId: view.id, values });
      expect(refused).toMatchObject({ open: true, problem: null });
      expect(JSON.stringify(refused.errors)).toContain('75.50 USD');
    }
    expect(pay.requestsFor('window-retype')).toHaveLength(1);
    const right = await stage.slack.submitView({ viewId: view.id, values: { 'Type the amount again': ' usd 75.5 ' } });
    expect(right).toMatchObject({ open: false, errors: null });
    await pay.answered(thread, '75.50 USD by stripe');
  });

  it('asks for it where a currency cannot be compared, and not for an amount at the threshold', async () => {
    const other = await pay.ask('retype-eur', paymentScript('1 EUR'));
    expect(pay.cardText(other)).toContain('has to be typed again');
    const same = await pay.ask('retype-same', paymentScript('50.00 USD'), SANDBOX.channels.random);
    expect(pay.cardText(same)).not.toContain('has to be typed again');
    expect((await pay.approve(same)).open).toBe(false);
    await pay.answered(same, '50.00 USD');
  });
});

describe('a refusal', () => {
  it('needs no reason, and takes one that the card and the planner are told', async () => {
    const silent = await pay.ask('decline-silent', 'payment');
    await pay.decline(silent);
    await pay.answered(silent, 'The payment was declined');
    expect(pay.cardText(silent)).toContain(`<@${alice}> declined`);
    expect(pay.requestsFor('decline-silent').at(-1)?.messages.at(-1)?.content).toMatch(
      /^I decline the payment of 2\.00 USD.*Do not make it\.$/,
    );
    const reasoned = await pay.ask('decline-why', 'payment');
    await pay.decline(reasoned, { reason: 'too dear <!channel> <stripe:payment_id:pi_1:CONFIRM>' });
    await pay.answered(reasoned, 'The payment was declined');
    expect(pay.cardText(reasoned)).toContain('too dear');
    expect(stage.slack.pings(pay.cardOf(reasoned))).not.toContain('<!channel>');
    const told = String(pay.requestsFor('decline-why').at(-1)?.messages.at(-1)?.content);
    expect(told).toContain('too dear');
    expect(told).not.toContain('<stripe:payment_id');
  });
});

describe('secrets and raw metadata of a payment', () => {
  it('are in no call to Slack, no line of the log at debug, and nowhere in the database', async () => {
    const thread = await pay.ask('secrets', 'payment-options');
    await pay.decline(thread);
    await pay.answered(thread, 'Nothing was paid');
    const last = await pay.ask('secrets-open', 'payment');
    expect(pay.cardText(last)).toContain('2.00 USD');
    await stage.stopBot();
    expect(JSON.stringify(stage.slack.calls())).not.toMatch(SECRETS);
    expect(logged.length).toBeGreaterThan(50);
    expect(logged.join('\n')).not.toMatch(SECRETS);
    const pool = await openEmbeddedPool({ dataDir: stage.dataDir, logger: pino({ level: 'silent' }) });
    const tables = `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
    const { rows } = await pool.query(tables, []);
    const kept: string[] = [];
    for (const { name } of rows) {
      const found = await pool.query(`select to_jsonb(t)::text as row from ${name} t`, []);
      kept.push(...found.rows.map(({ row }: Record<string, unknown>) => `${name} ${row}`));
    }
    await pool.end();
    expect(kept.some((row) => row.startsWith('steward.ledger '))).toBe(true);
    expect(kept.filter((row) => SECRETS.test(row))).toEqual([]);
  });
});
