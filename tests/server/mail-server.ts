// A mail server on the loopback, for tests that send.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'

/** A mail server that keeps what it is sent. */
export class MailServer {
  readonly server: SMTPServer
  readonly accepted: { from: string; to: string[]; source: string }[] = []
  /** What the next mails are answered; undefined takes them. */
  rejection: { code: number; words: string } | undefined
  /** Holds the answer back. */
  holdResponses: Promise<void> | undefined

  constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => void this.#accept(Buffer.concat(parts), session.envelope, done))
      },
    })
  }

  async #accept(
    bytes: Buffer,
    { mailFrom, rcptTo }: { mailFrom: false | { address: string }; rcptTo: { address: string }[] },
    done: (error?: Error) => void,
  ): Promise<void> {
    await this.holdResponses
    if (this.rejection) {
      const { code: responseCode, words } = this.rejection
      return done(Object.assign(new Error(words), { responseCode }))
    }
    const from = mailFrom ? mailFrom.address : ''
    this.accepted.push({ from, to: rcptTo.map(({ address }) => address), source: bytes.toString() })
    done()
  }

  async url(): Promise<string> {
    const listening = this.server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    return `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }
}

/** What is logged while `work` runs. */
export async function captureLog(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: string[] = []
  const keep = (line: string) => void lines.push(line)
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(console, 'error').mockImplementation(keep),
  ]
  await work().finally(() => spies.forEach((spy) => spy.mockRestore()))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}
