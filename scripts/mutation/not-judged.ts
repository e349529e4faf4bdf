/** Why a mutant ends the test without a failed check: its server is rejected by the preflight, or blocks checks. */
export const NOT_JUDGED = 'no check fails, but some are not judged';
