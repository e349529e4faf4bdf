/** The exit codes of all commands. */
export const EXIT = {
  /** Conformant, or passed if only a selection was judged. */
  conformant: 0,
  /** A requirement of level required is broken, or the gate failed. */
  failed: 1,
  /** The command, the target file or the environment is wrong, or no check was selected; nothing was judged. */
  usage: 2,
  /** Nothing failed, but some checks could not be judged, or the run was interrupted. */
  inconclusive: 3,
  /** Internal error of the kit. */
  broken: 4,
} as const;
