// Mail by a mail server.
import { LOCALE } from '../../contract/locale.ts'
import { createTransport } from 'nodemailer'
import { oneLine, type Mailer } from './mail.ts'

/** How long the mail server may be silent before the attempt has failed. Milliseconds. */
const SMTP_TIMEOUT_MS = 20_000

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')

/** A link only where the whole line is one: within a line it may be what somebody calls themselves. */
const lineAsHtml = (line: string) =>
  /^https?:\/\/\S+$/.test(line) ? `<a href="${escaped(line)}">${escaped(line)}</a>` : escaped(line)

/** The same words for programs that show HTML: paragraphs, lines and links. */
function asHtml(text: string): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split('\n').map(lineAsHtml)
    return `<p>${lines.join('<br>\n')}</p>`
  })
  return `<!doctype html>\n<html lang="${LOCALE}">\n<body>\n${paragraphs.join('\n')}\n</body>\n</html>\n`
}

/** Sends by the mail server at `url` (smtp or smtps, with user and password), in the name of `from`. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = from.replace(/^.*@/, '').replace(/>$/, '')
  return {
    async send({ to, subject, text, unsubscribe }, id) {
      await transport.sendMail({
        from,
        // As an object it is one address, whatever is in it.
        to: { name: '', address: oneLine(to) },
        subject: oneLine(subject),
        text,
        html: asHtml(text),
        // A mail that is sent again, because an answer was lost, can be told by it.
        messageId: `<${id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(unsubscribe !== undefined && { list: { unsubscribe } }),
      })
    },
  }
}
