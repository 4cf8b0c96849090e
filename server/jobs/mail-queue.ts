// Mail that is to be sent: written with what gives reason for it, sent after the commit, tried again
// while the mail server is away. A process that is killed between sending and forgetting leaves it to be
// sent once more, under the same id.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Tx } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import type { Tables } from '../database/tables.ts'
import type { Mail, Mailer } from '../integrations/mail.ts'

export interface MailQueue {
  /** Has a mail sent once the transaction has committed and `deliver` is called; after `until` it is of no use. */
  enqueue(
    tx: Tx,
    mail: Mail,
    about: { expiresAt: string; request_id?: string | null },
  ): Promise<void>
  /** Sends what is due. Resolves when nothing is due any more; what fails is logged and tried again later. */
  deliver(): Promise<void>
  /** Finishes the mail that is on its way and begins no other one. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
/** Whoever took a mail and was killed has not sent it. */
const LEASE_MS = 5 * MINUTE_MS
const MAX_BACKOFF_MS = 60 * MINUTE_MS

type MailRow = Selectable<Tables['mails']>

export function createMailQueue(
  database: Database,
  options: { mailer: Mailer; key: Buffer; now: () => Date },
): MailQueue {
  const { mailer, now } = options
  const key = Buffer.from(hkdfSync('sha256', options.key, '', 'mails', 32))
  const instantIn = (milliseconds: number) => new Date(now().getTime() + milliseconds).toISOString()

  /** No transaction stays open while the mail server thinks: the embedded database has but one. */
  const claim = () =>
    database.system((tx) =>
      tx
        .updateTable('mails')
        .set((mail) => ({ attempts: mail('attempts', '+', 1), due_at: instantIn(LEASE_MS) }))
        .where('id', '=', (mails) =>
          mails
            .selectFrom('mails')
            .select('id')
            .where('due_at', '<=', instantIn(0))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst(),
    )

  const remove = (id: string) =>
    database.system((tx) => tx.deleteFrom('mails').where('id', '=', id).execute())

  async function send(row: MailRow): Promise<void> {
    const { id, request_id, attempts, gives_up_at } = row
    const about = { mail: id, request_id, attempts }
    if (gives_up_at <= instantIn(0)) {
      log('error', 'mail given up', about)
      return void (await remove(id))
    }
    try {
      await mailer.send(decrypt(key, row.sealed), id)
    } catch (error) {
      const nextAttemptAt = instantIn(Math.min(MAX_BACKOFF_MS, MINUTE_MS * 2 ** (attempts - 1)))
      const isLast = nextAttemptAt > gives_up_at || isPermanentFailure(error)
      log('error', isLast ? 'mail given up' : 'mail not sent', { ...about, ...errorFields(error) })
      if (isLast) return void (await remove(id))
      await database.system((tx) =>
        tx.updateTable('mails').set({ due_at: nextAttemptAt }).where('id', '=', id).execute(),
      )
      return
    }
    await remove(id)
    log('info', 'mail sent', about)
  }

  const claimNext = () => (isStopped ? undefined : claim())
  let running: Promise<void> | undefined
  let isRequested = false
  let isStopped = false
  async function run(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false
        for (let row = await claimNext(); row; row = await claimNext()) await send(row)
      }
    } catch (error) {
      log('error', 'mails not delivered', errorFields(error))
    } finally {
      running = undefined
    }
  }

  return {
    async enqueue(tx, mail, { expiresAt: until, request_id = null }) {
      const sealed = encrypt(key, mail)
      const row = { id: uuidv7(), sealed, request_id, due_at: instantIn(0), gives_up_at: until }
      await tx.insertInto('mails').values(row).execute()
    },
    deliver() {
      isRequested = true
      running ??= run()
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function encrypt(key: Buffer, mail: Mail): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
}

function decrypt(key: Buffer, sealed: Uint8Array): Mail {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(text).toString('utf8')) as Mail
}

/** The mail server will not take this mail tomorrow either: no such recipient, not such a mail. */
const isPermanentFailure = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500
