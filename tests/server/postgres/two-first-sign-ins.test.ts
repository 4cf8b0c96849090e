// Two first sign-ins of one person with a provider at the same time: the one must not be refused as another person
// because of the user that the other creates meanwhile.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOrCreateSocialUser } from '../../../server/auth/social-sign-in.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

test.each([1, 2, 3])(
  'two first sign-ins make one user, when one commits after query %i of the other',
  async (query) => {
    const subject = uuidv7()
    const email = `${subject}@example.com`
    const identity = {
      provider: 'google' as const,
      subject,
      email,
      name: 'Gina Google',
      avatar_url: null,
      expires_at: new Date(world.now.getTime() + 60_000).toISOString(),
    }
    const signIn = (afterQuery?: () => Promise<unknown>) =>
      world.database.auth((tx) => {
        const watched = tx.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            await afterQuery?.()
            return result
          },
        })
        return findOrCreateSocialUser(watched, identity, world.now, 'open')
      })
    let done = 0
    let first: unknown
    const second = await signIn(async () => {
      done += 1
      if (done === query) first = await signIn()
    })
    expect(first).toHaveProperty('user_id')
    expect(second).toEqual(first)
  },
)
