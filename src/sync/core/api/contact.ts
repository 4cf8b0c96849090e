// How long the server has not answered this device. A user may choose after how many such days the device forgets
// who is signed in.
import type { Ports, Transaction } from '../ports.ts'

const DAY_MS = 86_400_000
/** Contact and the clock are written down this often. */
const NOTE_MS = 3_600_000

/** Stored beside the session, for the whole device; absent unless a user chose it. */
interface StoredContact {
  /** After so many days without contact the device forgets who is signed in. */
  days: number
  /** Time without contact up to `read_at`, in milliseconds. */
  silent_ms: number
  /** The device's clock when this was written, in epoch milliseconds. */
  read_at: number
}

/** Its key in the store `session`. */
const CONTACT_KEY = 'contact'

/**
 * Time without contact is the sum of the steps that the device's clock went forwards since the server's last
 * answer: setting it back takes nothing away, and a clock that was ahead at that answer adds nothing.
 */
const silentMs = ({ silent_ms, read_at }: StoredContact, now: number) =>
  silent_ms + Math.max(0, now - read_at)

const isOver = (stored: StoredContact, now: number) => silentMs(stored, now) >= stored.days * DAY_MS

/** The time without contact in one context. Methods reject when storage fails, unless they say otherwise. */
export class Contact {
  readonly #ports: Ports
  #stored: StoredContact | undefined

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** After how many days without contact the device forgets its user; undefined for never. */
  get days(): number | undefined {
    return this.#stored?.days
  }

  /**
   * When the device forgets its user without an answer until then, in epoch milliseconds; undefined for never.
   */
  get endsAt(): number | undefined {
    const stored = this.#stored
    return stored && stored.read_at + stored.days * DAY_MS - stored.silent_ms
  }

  /** Whether there was no contact for too long, as last read. */
  get isOver(): boolean {
    return this.#stored !== undefined && isOver(this.#stored, this.#ports.clock.now())
  }

  /** Reads it again in a transaction over the store `session`. */
  async read(tx: Transaction): Promise<void> {
    this.#stored = (await tx.get('session', CONTACT_KEY)) as StoredContact | undefined
  }

  /** Counts from zero: a user has just signed in. In a transaction over the store `session`. */
  async restart(tx: Transaction): Promise<void> {
    await this.read(tx)
    if (this.#stored) this.#stored = this.#put(tx, { ...this.#stored, silent_ms: 0 })
  }

  /** Sets the number of days, counted from now; undefined for never. */
  async choose(days: number | undefined): Promise<void> {
    // Kept only once it is stored: a read that began earlier may still end meanwhile, without it.
    this.#stored = await this.#ports.store.transact(['session'], 'strict', async (tx) => {
      if (days !== undefined) return this.#put(tx, { days, silent_ms: 0 })
      tx.delete('session', CONTACT_KEY)
      return undefined
    })
    this.#ports.channel.post({ type: 'session' })
  }

  /** Notes that the server has answered the signed-in user. Resolves to whether it was written down. */
  async noteAnswer(): Promise<boolean> {
    return await this.#note(
      (stored, now) => silentMs(stored, now) >= NOTE_MS,
      () => 0,
    )
  }

  /** Notes what the clock says now, so that it counts even when the clock is set back. */
  async noteClock(): Promise<boolean> {
    return await this.#note(({ read_at }, now) => Math.abs(now - read_at) >= NOTE_MS, silentMs)
  }

  async #note(
    isNews: (stored: StoredContact, now: number) => boolean,
    silenceOf: (stored: StoredContact, now: number) => number,
  ): Promise<boolean> {
    const { clock, store } = this.#ports
    if (!this.#stored || !isNews(this.#stored, clock.now())) return false
    return await store.transact(['session'], 'readwrite', async (tx) => {
      await this.read(tx)
      const stored = this.#stored
      const now = clock.now()
      // Once it is over, an answer comes too late.
      if (!stored || !isNews(stored, now) || isOver(stored, now)) return false
      this.#stored = this.#put(tx, { ...stored, silent_ms: silenceOf(stored, now) })
      return true
    })
  }

  #put(tx: Transaction, contact: Omit<StoredContact, 'read_at'>): StoredContact {
    const stored = { ...contact, read_at: this.#ports.clock.now() }
    tx.put('session', CONTACT_KEY, stored)
    return stored
  }
}
