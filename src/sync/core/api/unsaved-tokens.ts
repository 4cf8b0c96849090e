// New tokens that could not be stored. A refresh uses up the ones before, so they are used all the same, in all
// contexts, and stored as soon as there is room.
import type { Session, StoredSession } from '../session-store.ts'

/** Sent between contexts: fields are never renamed. */
export interface NewTokens {
  /** The access token that is stored. */
  instead_of: string
  access_token: string
  refresh_token: string
  revocation_secret?: string | undefined
}

/** Those of one context. */
export class UnsavedTokens {
  tokens: NewTokens | undefined

  /** The stored session with these tokens; as it is where others than `instead_of` are stored by now. */
  over(stored: StoredSession, instead_of = this.tokens?.instead_of): StoredSession {
    const { session } = stored
    if (!session || !this.tokens || session.access_token !== instead_of) return stored
    const { access_token, refresh_token } = this.tokens
    return { ...stored, session: { ...session, access_token, refresh_token } }
  }

  /** Whether these are the tokens of a session. */
  isOf(session: Session | null): session is Session {
    return session !== null && session.access_token === this.tokens?.access_token
  }

  /** To be called when `session` has new tokens; returns them as other contexts need them. */
  renew(session: Session, tokens: Omit<NewTokens, 'instead_of'>): NewTokens {
    const instead_of = (this.isOf(session) && this.tokens?.instead_of) || session.access_token
    const { access_token, refresh_token, revocation_secret } = tokens
    return (this.tokens = { instead_of, access_token, refresh_token, revocation_secret })
  }

  /** To be called when these are stored, or the session has others. */
  drop(tokens: NewTokens | undefined): void {
    if (this.tokens === tokens) this.tokens = undefined
  }
}
