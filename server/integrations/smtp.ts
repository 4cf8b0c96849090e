// Sends mail by SMTP.
import { LOCALE } from '../../contract/text/locale.ts'
import { createTransport } from 'nodemailer'
import { oneLine, type Mailer } from './mail.ts'

const SMTP_TIMEOUT_MS = 20_000
const VERIFY_TIMEOUT_MS = 5_000

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/** Only a line that is a URL as a whole becomes a link: within a line it may be part of a user's name. */
const lineAsHtml = (line: string) =>
  /^https?:\/\/\S+$/.test(line) ? `<a href="${escaped(line)}">${escaped(line)}</a>` : escaped(line)

/** The text as HTML with paragraphs, line breaks and links. */
function asHtml(text: string): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split('\n').map(lineAsHtml)
    return `<p>${lines.join('<br>\n')}</p>`
  })
  return `<!doctype html>\n<html lang="${LOCALE}">\n<body>\n${paragraphs.join('\n')}\n</body>\n</html>\n`
}

const createTransportTo = (url: string, timeoutMs: number) =>
  createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Connects to the mail server and signs in, without sending. Rejects when that fails. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = createTransportTo(url, VERIFY_TIMEOUT_MS)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/**
 * Sends through the mail server at `url` (smtp or smtps, with user and password). Waits at most 20
 * seconds for each answer.
 */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransportTo(url, SMTP_TIMEOUT_MS)
  const host = from.replace(/^.*@/, '').replace(/>$/, '')
  return {
    async send({ to, subject, text, unsubscribe }, id) {
      await transport.sendMail({
        from,
        // As an object it is exactly one address; a string would be parsed as a list.
        to: { name: '', address: oneLine(to) },
        subject: oneLine(subject),
        text,
        html: asHtml(text),
        // The same for every attempt, so that duplicates can be recognised.
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(unsubscribe !== undefined && { list: { unsubscribe } }),
      })
    },
  }
}
