import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type BufferedIncomingMessage, HTTPModuleFunctions } from '@slack/bolt';
import type { Logger } from '../../domain/ports/logger.ts';
import type { TakeDelivery } from '../inbox/delivery.ts';
import { type Fields, isFields, textAt } from '../read/fields.ts';
import { isSignedBySlack } from './slack-signature.ts';

/** Slack's own payloads stay far below; what is larger is refused before it is read to its end. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export type HttpReceiverOptions = {
  signingSecret: string;
  take: TakeDelivery;
  logger: Logger;
  /** Slack stops waiting at 3 s; a 503 by then tells it plainly that this copy was not taken. Default 2,900 ms. */
  answerWithinMs?: number;
  /** Wall clock, to judge how old a request is. */
  nowMs?: () => number;
  monotonicMs?: () => number;
};

function answer(response: ServerResponse, status: number): void {
  if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, status);
}

/** The request with its body read, or null after answering why not. */
async function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<BufferedIncomingMessage | null> {
  try {
    return await HTTPModuleFunctions.bufferIncomingMessage(request, BODY_LIMIT_BYTES);
  } catch (error) {
    const tooLarge = HTTPModuleFunctions.isRawBodyError(error) && error.statusCode === 413;
    answer(response, tooLarge ? 413 : 400);
    return null;
  }
}

/** The JSON object that Slack sent, bare or in a form's `payload` field; null when it is none. */
function readBody(request: BufferedIncomingMessage): Fields | null {
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    return isFields(body) ? body : null;
  } catch {
    return null;
  }
}

/** Slack's certificate check carries no signature and asks for nothing but a 200. */
function isCertificateCheck(request: BufferedIncomingMessage): boolean {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  // Looked for before the form is parsed, which costs something for the large ones.
  return (
    isForm &&
    request.rawBody.includes('ssl_check') &&
    new URLSearchParams(request.rawBody.toString()).get('ssl_check') === '1'
  );
}

/**
 * Slack's requests over HTTP: events, commands and interactivity, all at one path.
 *
 * Not Bolt's own receiver, because that accepts timestamps of the future, lets a signed body that is no object end the
 * process, and answers 404 where Slack should deliver again. Its parts are used.
 *
 * Answers 401 for a bad signature or time (contract C34), 400 for an unreadable body, 413 for too much, 503 for what
 * could not be taken.
 */
export function createHttpListener(options: HttpReceiverOptions): RequestListener {
  const { signingSecret, take, logger, answerWithinMs = 2_900 } = options;
  const { nowMs = Date.now, monotonicMs = () => performance.now() } = options;

  async function deliver(
    request: BufferedIncomingMessage,
    response: ServerResponse,
    receivedAtMs: number,
  ): Promise<void> {
    const body = readBody(request);
    if (body === null) return answer(response, 400);
    if (textAt(body, 'type') === 'url_verification') {
      return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
    }
    const ack = async (content?: unknown): Promise<void> => {
      if (response.headersSent) throw new Error('The answer was due earlier; Slack no longer waits for it.');
      HTTPModuleFunctions.buildContentResponse(response, content);
    };
    const overdue = setTimeout(() => answer(response, 503), answerWithinMs);
    response.once('close', () => clearTimeout(overdue));
    await take({ body, ack, receivedAtMs });
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAtMs = monotonicMs();
    if (incoming.method !== 'POST') return answer(response, 404);
    const request = await readRequest(incoming, response);
    if (request === null) return;
    if (isCertificateCheck(request)) return answer(response, 200);
    if (
      !isSignedBySlack({ headers: request.headers, body: request.rawBody.toString(), signingSecret, nowMs: nowMs() })
    ) {
      logger.warn('request_refused_unsigned');
      return answer(response, 401);
    }
    await deliver(request, response, receivedAtMs);
  }

  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'delivery_refused');
      answer(response, 503);
    });
  };
}
