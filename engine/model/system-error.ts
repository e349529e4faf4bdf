/** The code of an error of the operating system, such as ENOSPC; the message of any other error. */
export function systemErrorCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
