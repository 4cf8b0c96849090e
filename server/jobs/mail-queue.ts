// Outgoing mail: enqueued in the transaction that causes it and sent after the commit. A process that is
// killed between sending a mail and deleting its job causes a second mail with the same id.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import type { Mailer, QueuedMail } from '../integrations/mail.ts'
import { createJobQueue, type JobQueue } from './queue.ts'

/** The queue of outgoing mail. */
export interface MailQueue extends JobQueue {
  /**
   * Adds a mail to the queue; `deliver` sends it once the transaction has committed. A mail that was not
   * sent by `expiresAt` (ISO 8601) is dropped. One with a `request_id` goes before those without; the log has it.
   * Those that an organisation sends to any address take turns with those of others.
   */
  enqueue(
    tx: Tx,
    mail: QueuedMail,
    about: { expiresAt: string; request_id?: string | null; sent_by?: string },
  ): Promise<void>
}

/** `key`: the token key, from which the key for stored mails is derived, because mails hold sign-in links. */
export function createMailQueue(
  database: Database,
  { mailer, key: tokenKey, now }: { mailer: Mailer; key: Buffer; now: () => Date },
): MailQueue {
  const key = Buffer.from(hkdfSync('sha256', tokenKey, '', 'mails', 32))
  const queue = createJobQueue(database, {
    table: 'mails',
    name: 'mail',
    now,
    // A person waits for what a request caused: a new password, an invitation. Digests can be thousands.
    rank: sql`request_id is null`,
    organisation: 'sent_by',
    async attempt({ id, ciphertext }) {
      const { to, ...mail } = decrypt(key, ciphertext)
      if (to === null) return { done: {} }
      await mailer.send({ ...mail, to }, id)
      return { done: { event: 'mail sent' } }
    },
    isPermanentFailure,
  })
  return {
    ...queue,
    async enqueue(tx, mail, { expiresAt, request_id = null, sent_by = null }) {
      await tx
        .insertInto('mails')
        .values({
          id: uuidv7(),
          ciphertext: encrypt(key, mail),
          request_id,
          sent_by,
          next_attempt_at: now().toISOString(),
          expires_at: expiresAt,
        })
        .execute()
    },
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Nonce, authentication tag and ciphertext of the mail as JSON. */
function encrypt(key: Buffer, mail: QueuedMail): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const ciphertext = [cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...ciphertext])
}

function decrypt(key: Buffer, stored: Uint8Array): QueuedMail {
  const bytes = Buffer.from(stored)
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(text).toString('utf8')) as QueuedMail
}

/** The mail server rejected the recipient or the message with a 5xx reply, so a retry would fail as well. */
const isPermanentFailure = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500
