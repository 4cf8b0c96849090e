// A new user, who then signs in.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { hashPassword } from '../passwords.ts'
import { invalid } from '../refusal.ts'
import { forAnyone } from '../route.ts'
import { presentUser } from './userinfo.ts'

export const register = forAnyone(endpoints.register, async ({ services, body }) => {
  const { name, email, password } = body
  const now = services.now().toISOString()
  const password_hash = await hashPassword(password)
  return services.database.auth(async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        id: uuidv7(),
        name,
        email,
        password_hash,
        timezone: 'UTC',
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!user) throw invalid({ email: ['This e-mail address is taken.'] })
    return { data: presentUser(user) }
  })
})
