// The way from a mailbox into the app.
import type { BrowserFixture } from './scene.ts'
import { waitUntil } from './until.ts'

/** The link in the latest mail to `email`, as it leads to the app of the test. */
export async function mailedLink({ server, url }: BrowserFixture, email: string): Promise<string> {
  const link = await waitUntil(`a mail to ${email} with a link`, async () => {
    const mails = await server.mails()
    const mail = mails.findLast((one) => one.includes(email) && one.includes('_token='))
    return /https?:\/\/\S+_token=\S+/.exec(mail ?? '')?.[0]
  })
  const { pathname, hash } = new URL(link)
  return `${url}${pathname}${hash}`
}
