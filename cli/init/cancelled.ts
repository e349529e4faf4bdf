/** The user ended init with Ctrl-C or Esc. Nothing was written. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
