// What an operator asks for, and the answer: the same in this process and over the socket of a running server.

/** One request. Passwords and addresses are checked where it is carried out. */
export type AdminRequest =
  | {
      action: 'user create'
      email: string
      name: string
      password: string
      superadmin: boolean
    }
  | { action: 'user list' }
  | { action: 'user reset-password'; email: string; password: string }
  | { action: 'user end-sign-ins'; email: string }
  | { action: 'user delete'; email: string; confirmed: boolean }
  | { action: 'superadmin grant' | 'superadmin revoke'; email: string }
  | { action: 'organisation list' }
  | { action: 'organisation export'; organisation: string }
  | { action: 'organisation delete'; organisation: string; confirmed: boolean }
  | { action: 'versions raise' }
  | { action: 'setup-link' }
  | { action: 'status' }

/** A row of a table, or the details of an answer. */
export type Row = Record<string, string | number | boolean | null>

/** Either a sentence, with its details for machines, or rows. */
export type AdminAnswer = { message: string; details?: Row } | { rows: Row[] }

/** A request cannot be carried out. The message is one line that says what to do. */
export class AdminError extends Error {
  override name = 'AdminError'
}
