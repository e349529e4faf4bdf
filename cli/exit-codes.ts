/** What the exit status of every command means. */
export const EXIT = {
  /** Or passed, where only a selection was judged. */
  conformant: 0,
  /** A required sentence is broken. */
  failed: 1,
  /** The command, the target file or the environment is wrong, or there was nothing to run; nothing was judged. */
  usage: 2,
  /** Nothing failed, but not everything could be judged, or the run was interrupted. */
  inconclusive: 3,
  /** The kit itself broke. */
  broken: 4,
} as const;
