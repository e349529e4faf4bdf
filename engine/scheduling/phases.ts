/**
 * The phases in their order:
 * - `main`: everything at once
 * - `late`: checks that should run as late as possible
 * - `custom`: custom checks
 * - `flood`: alone, checks that provoke the rate limiter
 * - `reset`: alone, after clean-up
 * - `production-reset`: checks that may invalidate the sandbox keys again
 * - `closing`: verdicts about all exchanges of the run
 */
export const PHASES = ['main', 'late', 'custom', 'flood', 'reset', 'production-reset', 'closing'] as const;
export type Phase = (typeof PHASES)[number];

/** Opens each phase when every check of the earlier ones has ended. */
export class Phases {
  private readonly remainingChecks: Map<Phase, number>;
  private readonly gates = new Map<Phase, { open: () => void; opened: Promise<void> }>();
  private readonly pendingCallbacks: Promise<void>[] = [];
  private readonly onPhaseEnd: (phase: Phase) => Promise<void>;
  /** The index of the last phase that has been opened. */
  private lastOpened = -1;

  constructor(phases: readonly Phase[], whenEnded: (phase: Phase) => Promise<void>) {
    this.remainingChecks = new Map(PHASES.map((phase) => [phase, phases.filter((each) => each === phase).length]));
    this.onPhaseEnd = whenEnded;
    for (const phase of PHASES) {
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.gates.set(phase, { open, opened });
    }
  }

  /** Removes one check from a phase. Call it only before the start. */
  excludeCheck(phase: Phase): void {
    this.remainingChecks.set(phase, (this.remainingChecks.get(phase) ?? 0) - 1);
  }

  /** Opens the first phase, and those behind phases without checks. */
  start(): void {
    this.openPhase(0);
  }

  async waitForPhase(phase: Phase): Promise<void> {
    await this.gates.get(phase)?.opened;
  }

  markCheckEnded(phase: Phase): void {
    const left = (this.remainingChecks.get(phase) ?? 0) - 1;
    this.remainingChecks.set(phase, left);
    // A check that has moved to the late phase may end before that phase is opened. The phase then ends when it is opened.
    const at = PHASES.indexOf(phase);
    if (left === 0 && at <= this.lastOpened) this.completePhase(at);
  }

  /** Lets the late phase end with a check of the main phase, so that it need not wait for that check to begin. */
  moveToLatePhase(): void {
    this.remainingChecks.set('late', (this.remainingChecks.get('late') ?? 0) + 1);
    this.markCheckEnded('main');
  }

  /** Waits for the callbacks of the phases that have ended. */
  async waitForCallbacks(): Promise<void> {
    // Each may begin the next one.
    for (let at = 0; at < this.pendingCallbacks.length; at += 1) await this.pendingCallbacks[at];
  }

  private openPhase(at: number): void {
    const phase = PHASES[at];
    if (!phase) return;
    this.lastOpened = at;
    this.gates.get(phase)?.open();
    if (this.remainingChecks.get(phase) === 0) this.completePhase(at);
  }

  private completePhase(at: number): void {
    const phase = PHASES[at];
    if (phase) this.pendingCallbacks.push(this.onPhaseEnd(phase).finally(() => this.openPhase(at + 1)));
  }
}
