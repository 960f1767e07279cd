import type { IncomingRequest, RunCommands } from '../../../../src/domain/ports/run-commands.ts';

type Call = { method: string; args: readonly unknown[] };
type Methods = Pick<
  RunCommands,
  | 'receiveCommand'
  | 'stopAll'
  | 'stop'
  | 'resume'
  | 'choose'
  | 'openPause'
  | 'chooseOption'
  | 'answer'
  | 'chooseOnCard'
  | 'submitCard'
  | 'cancelCard'
  | 'openPayment'
  | 'viewPayment'
  | 'approve'
  | 'decline'
  | 'statusFor'
  | 'receive'
>;

/** A runner's door that keeps what came through it. Takes requests and deletions; all else is refused until set up. */
export interface MemoryCommands extends RunCommands {
  calls: Call[];
  received: Map<string, IncomingRequest>;
  of(method: keyof RunCommands): Array<readonly unknown[]>;
  setUp(methods: Partial<Methods>): void;
}

export function createMemoryCommands(): MemoryCommands {
  const calls: Call[] = [];
  const received = new Map<string, IncomingRequest>();
  const refuse = (method: string) => (): Promise<never> => Promise.reject(new Error(`${method} is not set up`));
  const methods: Methods = {
    async receive(request) {
      received.set(request.requestKey, request);
    },
    receiveCommand: refuse('receiveCommand'),
    stopAll: refuse('stopAll'),
    stop: refuse('stop'),
    resume: refuse('resume'),
    choose: refuse('choose'),
    openPause: refuse('openPause'),
    chooseOption: refuse('chooseOption'),
    answer: refuse('answer'),
    chooseOnCard: refuse('chooseOnCard'),
    submitCard: refuse('submitCard'),
    cancelCard: refuse('cancelCard'),
    openPayment: refuse('openPayment'),
    viewPayment: refuse('viewPayment'),
    approve: refuse('approve'),
    decline: refuse('decline'),
    statusFor: refuse('statusFor'),
  };
  const note = <T>(method: string, args: readonly unknown[], run: () => Promise<T>): Promise<T> => {
    calls.push({ method, args });
    return run();
  };
  return {
    calls,
    received,
    of: (method) => calls.filter((call) => call.method === method).map((call) => call.args),
    setUp: (given) => Object.assign(methods, given),
    receive: (...args) => note('receive', args, () => methods.receive(...args)),
    receiveCommand: (...args) => note('receiveCommand', args, () => methods.receiveCommand(...args)),
    requestDeleted: (...args) => note('requestDeleted', args, async () => undefined),
    stopAll: (...args) => note('stopAll', args, () => methods.stopAll(...args)),
    stop: (...args) => note('stop', args, () => methods.stop(...args)),
    resume: (...args) => note('resume', args, () => methods.resume(...args)),
    choose: (...args) => note('choose', args, () => methods.choose(...args)),
    openPause: (...args) => note('openPause', args, () => methods.openPause(...args)),
    chooseOption: (...args) => note('chooseOption', args, () => methods.chooseOption(...args)),
    answer: (...args) => note('answer', args, () => methods.answer(...args)),
    chooseOnCard: (...args) => note('chooseOnCard', args, () => methods.chooseOnCard(...args)),
    submitCard: (...args) => note('submitCard', args, () => methods.submitCard(...args)),
    cancelCard: (...args) => note('cancelCard', args, () => methods.cancelCard(...args)),
    openPayment: (...args) => note('openPayment', args, () => methods.openPayment(...args)),
    viewPayment: (...args) => note('viewPayment', args, () => methods.viewPayment(...args)),
    approve: (...args) => note('approve', args, () => methods.approve(...args)),
    decline: (...args) => note('decline', args, () => methods.decline(...args)),
    statusFor: (...args) => note('statusFor', args, () => methods.statusFor(...args)),
  };
}
