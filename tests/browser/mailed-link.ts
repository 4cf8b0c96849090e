// The way from a mailbox into the app.
import type { Scene } from './scene.ts'
import { until } from './until.ts'

/** The link in the latest mail to `email`, as it leads to the app of the test. */
export async function mailedLink({ server, url }: Scene, email: string): Promise<string> {
  const link = await until(`a mail to ${email} with a link`, async () => {
    const mails = await server.mails()
    const mail = mails.findLast((one) => one.includes(email) && one.includes('_token='))
    return /https?:\/\/\S+_token=\S+/.exec(mail ?? '')?.[0]
  })
  const { pathname, hash } = new URL(link)
  return `${url}${pathname}${hash}`
}
