// Somebody else in the same organisation, by the way that people take: invited, and registered by the
// link in the mail.
import { Person } from './person.ts'
import type { Scene } from './scene.ts'
import { until } from './until.ts'

/** Invites and registers a colleague, who is signed in at another device. */
export async function colleague(
  { ada, organisation, server }: Scene,
  name: string,
): Promise<Person> {
  const person = new Person(server.url, name, organisation)
  const { email, password } = person
  await ada.call('POST', '/api/v1/organisation-invites', { email })
  const invite_token = await until('the invitation arrives', async () => {
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
