// Mail, as far as the rest of the server cares, and the mailer of a server that was given no other: it
// writes what it would have sent into a folder, to be read there.
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../log.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text; a line that is nothing but a web address is a link. */
  text: string
  /** Where to say that no such mail is wanted any more, for mails that come again and again. */
  unsubscribe?: string
}

export interface Mailer {
  /** `id` is the same for every attempt to send the same mail. */
  send(mail: Mail, id: string): Promise<void>
}

/** A header of a mail is one line, whatever somebody called their organisation. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

/** Writes mails as text files into `folder`, readable by the owner of the process alone: they hold links. */
export function createFolderMailer(folder: string): Mailer {
  return {
    async send({ to, subject, text }, id) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${id}.txt`)
      const words = `To: ${oneLine(to)}\nSubject: ${oneLine(subject)}\n\n${text}\n`
      await writeFile(file, words, { mode: 0o600 })
      log('info', 'mail written', { file })
    },
  }
}
