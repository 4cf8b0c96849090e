// Mail that is to be sent: written with what gives reason for it, sent after the commit, tried again
// while the mail server is away. A process that is killed between sending and forgetting leaves it to be
// sent once more, under the same id.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Tx } from '../database.ts'
import { errorFields, log } from '../log.ts'
import type { Tables } from '../tables.ts'
import type { Mail, Mailer } from './mail.ts'

export interface MailQueue {
  /** Has a mail sent once the transaction has committed and `deliver` is called; after `until` it is of no use. */
  add(tx: Tx, mail: Mail, about: { until: string; request_id?: string | null }): Promise<void>
  /** Sends what is due. Resolves when nothing is due any more; what fails is logged and tried again later. */
  deliver(): Promise<void>
  /** Finishes the mail that is on its way and begins no other one. */
  end(): Promise<void>
}

const MINUTE = 60_000
/** Whoever took a mail and was killed has not sent it. */
const TAKEN_FOR = 5 * MINUTE
const LONGEST_WAIT = 60 * MINUTE

type Row = Selectable<Tables['mails']>

export function createMailQueue(
  database: Database,
  options: { mailer: Mailer; key: Buffer; now: () => Date },
): MailQueue {
  const { mailer, now } = options
  const key = Buffer.from(hkdfSync('sha256', options.key, '', 'mails', 32))
  const inMs = (milliseconds: number) => new Date(now().getTime() + milliseconds).toISOString()

  /** No transaction stays open while the mail server thinks: the embedded database has but one. */
  const take = () =>
    database.system((tx) =>
      tx
        .updateTable('mails')
        .set((mail) => ({ attempts: mail('attempts', '+', 1), due_at: inMs(TAKEN_FOR) }))
        .where('id', '=', (mails) =>
          mails
            .selectFrom('mails')
            .select('id')
            .where('due_at', '<=', inMs(0))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst(),
    )

  const drop = (id: string) =>
    database.system((tx) => tx.deleteFrom('mails').where('id', '=', id).execute())

  async function send(row: Row): Promise<void> {
    const { id, request_id, attempts, gives_up_at } = row
    const about = { mail: id, request_id, attempts }
    if (gives_up_at <= inMs(0)) {
      log('error', 'mail given up', about)
      return void (await drop(id))
    }
    try {
      await mailer.send(open(key, row.sealed), id)
    } catch (error) {
      const again_at = inMs(Math.min(LONGEST_WAIT, MINUTE * 2 ** (attempts - 1)))
      const isLast = again_at > gives_up_at || isFinal(error)
      log('error', isLast ? 'mail given up' : 'mail not sent', { ...about, ...errorFields(error) })
      if (isLast) return void (await drop(id))
      await database.system((tx) =>
        tx.updateTable('mails').set({ due_at: again_at }).where('id', '=', id).execute(),
      )
      return
    }
    await drop(id)
    log('info', 'mail sent', about)
  }

  const next = () => (isOver ? undefined : take())
  let running: Promise<void> | undefined
  let isCalled = false
  let isOver = false
  async function run(): Promise<void> {
    try {
      while (isCalled) {
        isCalled = false
        for (let row = await next(); row; row = await next()) await send(row)
      }
    } catch (error) {
      log('error', 'mails not delivered', errorFields(error))
    } finally {
      running = undefined
    }
  }

  return {
    async add(tx, mail, { until, request_id = null }) {
      const sealed = seal(key, mail)
      const row = { id: uuidv7(), sealed, request_id, due_at: inMs(0), gives_up_at: until }
      await tx.insertInto('mails').values(row).execute()
    },
    deliver() {
      isCalled = true
      running ??= run()
      return running
    },
    async end() {
      isOver = true
      await running
    },
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

function seal(key: Buffer, mail: Mail): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
}

function open(key: Buffer, sealed: Uint8Array): Mail {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE))
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  const text = [decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]
  return JSON.parse(Buffer.concat(text).toString('utf8')) as Mail
}

/** The mail server will not take this mail tomorrow either: no such recipient, not such a mail. */
const isFinal = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500
