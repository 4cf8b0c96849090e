// The interface for sending mail, and the default mailer, which writes mails into a folder instead of
// sending them.
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isolate } from '../../contract/text/sentence.ts'
import { log } from '../log.ts'

/** One mail to one recipient. */
export interface Mail {
  to: string
  subject: string
  /** Plain text. A line that consists of a web address becomes a link. */
  text: string
  /** URL for unsubscribing, for recurring mails. */
  unsubscribe?: string
}

/** A mail in the queue. Without a recipient it is not sent (see sendResetMail). */
export type QueuedMail = Omit<Mail, 'to'> & { to: string | null }

/** Sends mails. */
export interface Mailer {
  /** Rejects when the mail was not accepted. `id` is the same for every attempt to send this mail. */
  send(mail: Mail, id: string): Promise<void>
}

/** Text for a mail header. Line breaks in user input would start a new header. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

const MAX_NAME_LENGTH = 60

/** A name that a user has chosen, for a mail to others: short, on one line, and without web addresses. */
export const nameInMail = (name: string): string =>
  isolate(name.replace(/:\/\/|\.(?=\S)/g, ' ').slice(0, MAX_NAME_LENGTH))

/**
 * Writes mails as text files into `folder`, readable only by the owner of the process, because they
 * hold sign-in links.
 */
export function createFolderMailer(folder: string): Mailer {
  return {
    async send({ to, subject, text }, id) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${id}.txt`)
      const content = `To: ${oneLine(to)}\nSubject: ${oneLine(subject)}\n\n${text}\n`
      await writeFile(file, content, { mode: 0o600 })
      log('info', 'mail written', { file })
    },
  }
}
