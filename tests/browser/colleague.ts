// Somebody else in the same organisation, by the way that people take: invited, and registered by the
// link in the mail.
import { ApiUser } from './person.ts'
import type { BrowserFixture } from './scene.ts'
import { waitUntil } from './until.ts'

/** Invites and registers a colleague, who is signed in at another device. */
export async function addMember(
  { ada, organisation, server }: BrowserFixture,
  name: string,
): Promise<ApiUser> {
  const person = new ApiUser(server.url, name, organisation)
  const { email, password } = person
  await ada.call('POST', '/api/v1/organisation-invites', { email })
  const invite_token = await waitUntil('the invitation arrives', async () => {
    const mails = await server.mails()
    const mail = mails.findLast((one) => one.includes(email))
    return /invite_token=(\S+)/.exec(mail ?? '')?.[1]
  })
  await person.call('POST', '/api/v1/register', {
    name,
    email,
    password,
    password_confirmation: password,
    invite_token,
  })
  await person.signIn()
  return person
}
