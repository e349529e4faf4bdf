/** What the exit status of every command means. */
export const EXIT = {
  conformant: 0,
  /** A required sentence is broken. */
  failed: 1,
  /** The command, the target file or the environment is wrong; nothing was judged. */
  usage: 2,
  /** Nothing failed, but not everything could be judged, or the run was interrupted. */
  inconclusive: 3,
  /** The kit itself broke. */
  broken: 4,
} as const;
