// What an operator does with users.
import { v7 as uuidv7 } from 'uuid'
import { validate, type FieldErrors } from '../../../contract/errors.ts'
import { PasswordReset, Registration, isPasswordEmail } from '../../../contract/schemas/people.ts'
import { rejectCommonPassword } from '../../auth/passwords/common-passwords.ts'
import { isAddressTaken } from '../../auth/email-change.ts'
import { hashPassword } from '../../auth/passwords/passwords.ts'
import { replacePassword } from '../../auth/passwords/replace-password.ts'
import { endSessions } from '../../auth/end-sessions.ts'
import type { Tx } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { deleteUser, findMemberships } from '../../domain/account-deletion.ts'
import { HttpError } from '../../errors/http-error.ts'
import { AdminError, type AdminAnswer, type Row } from './request.ts'

/** How many users a list has at most. */
const MAX_LISTED = 10_000
/** The addresses of deleted users: see deleteUser. */
export const DELETED = 'deleted-%@invalid'

/** The first message about one of the fields. */
const firstOf = (errors: FieldErrors) => {
  const [[field, [message]] = ['', ['']]] = Object.entries(errors)
  return `${field}: ${message ?? ''}`
}

/** Throws AdminError for a password that people guess first. */
async function requireGoodPassword(password: string): Promise<void> {
  try {
    await rejectCommonPassword(password)
  } catch (error) {
    throw error instanceof HttpError ? new AdminError(`password: ${error.message}`) : error
  }
}

/** The user with the address, locked as by `lockUser`. Throws AdminError. */
async function requireUser(tx: Tx, email: string) {
  const user = await tx
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.trim().toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) throw new AdminError(`There is no user ${email}. “user list” names them all.`)
  return user
}

/** Makes a user, whose address is unproven. Throws AdminError. */
export async function createUser(
  database: Database,
  input: { email: string; name: string; password: string; superadmin: boolean },
  now: Date,
): Promise<AdminAnswer> {
  const checked = validate(Registration, { ...input, password_confirmation: input.password })
  if (!checked.ok) throw new AdminError(firstOf(checked.errors))
  const { email, name, password } = checked.value
  await requireGoodPassword(password)
  const password_hash = await hashPassword(password)
  const at = now.toISOString()
  const { superadmin } = input
  const times = { created_at: at, updated_at: at }
  await database.auth(async (tx) => {
    if (await isAddressTaken(tx, email, now))
      throw new AdminError(`${email} is taken. “user reset-password ${email}” sets a new password.`)
    await tx
      .insertInto('users')
      .values({ id: uuidv7(), name, email, password_hash, superadmin, timezone: 'UTC', ...times })
      .execute()
  })
  const role = superadmin ? 'Superadmin' : 'User'
  return { message: `${role} ${email} was made.`, details: { email, superadmin } }
}

/** All users but deleted ones, by address. */
export async function listUsers(database: Database): Promise<AdminAnswer> {
  const users = await database.auth((tx) =>
    tx
      .selectFrom('users')
      .leftJoin('verified_addresses', (join) =>
        join
          .onRef('verified_addresses.user_id', '=', 'users.id')
          .onRef('verified_addresses.email', '=', 'users.email'),
      )
      .select((row) => [
        'users.email',
        'users.name',
        'users.superadmin',
        'verified_addresses.email as verified',
        row
          .selectFrom('organisation_users')
          .whereRef('organisation_users.user_id', '=', 'users.id')
          .select((members) => members.fn.countAll<number>().as('count'))
          .as('organisations'),
        row
          .selectFrom('token_families')
          .whereRef('token_families.user_id', '=', 'users.id')
          .where('token_families.revoked_at', 'is', null)
          .select((families) => families.fn.max('token_families.last_used_at').as('last'))
          .as('last_seen'),
      ])
      .where('users.email', 'not like', DELETED)
      .orderBy('users.email')
      .limit(MAX_LISTED)
      .execute(),
  )
  const rows = users.map(
    ({ email, name, superadmin, verified, organisations, last_seen }): Row => ({
      email,
      name,
      superadmin,
      proven: verified !== null,
      organisations: organisations ?? 0,
      last_seen,
    }),
  )
  return { rows }
}

/** Sets a new password, which ends all sign-ins. Throws AdminError. */
export async function resetPassword(
  database: Database,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<AdminAnswer> {
  const form = { token: '', password, password_confirmation: password }
  const checked = validate(PasswordReset, form)
  if (!checked.ok) throw new AdminError(firstOf(checked.errors))
  const user = await database.auth((tx) => requireUser(tx, email))
  if (isPasswordEmail(password, user.email))
    throw new AdminError('password: The password must not be the address.')
  await requireGoodPassword(password)
  const password_hash = await hashPassword(password)
  await database.auth(async (tx) =>
    // The address may have been changed while the password was hashed.
    replacePassword(tx, await requireUser(tx, email), { password_hash, at: now.toISOString() }),
  )
  return {
    message: `${user.email} has a new password, and every sign-in has ended.`,
    details: { email: user.email },
  }
}

/** Ends all sign-ins of a user, and notifications. Throws AdminError. */
export async function endSignIns(
  database: Database,
  { email }: { email: string },
  now: Date,
): Promise<AdminAnswer> {
  const { sessions: ended } = await database.auth(async (tx) => {
    const user = await requireUser(tx, email)
    return endSessions(tx, user.id, now.toISOString())
  })
  const count = ended === 1 ? '1 sign-in' : `${ended} sign-ins`
  return { message: `${count} of ${email} ended.`, details: { email, ended } }
}

/** Makes a user a superadmin, or no longer one. Throws AdminError. */
export async function setSuperadmin(
  database: Database,
  { email, superadmin }: { email: string; superadmin: boolean },
  now: Date,
): Promise<AdminAnswer> {
  const remaining = await database.auth(async (tx) => {
    const { id } = await requireUser(tx, email)
    await tx
      .updateTable('users')
      .set({ superadmin, updated_at: now.toISOString() })
      .where('id', '=', id)
      .execute()
    const superadmins = tx.selectFrom('users').select('id').where('superadmin', '=', true)
    return superadmins.where('email', 'not like', DELETED).executeTakeFirst()
  })
  const lack = remaining ? '' : ' None is left: “superadmin grant <email>” makes one.'
  return {
    message: `${email} is ${superadmin ? 'a superadmin' : 'no superadmin'}.${lack}`,
    details: { email, superadmin },
  }
}

/** Deletes an account as its user could. Says what it would do unless `confirmed`. Throws AdminError. */
export async function removeUser(
  database: Database,
  { email, confirmed }: { email: string; confirmed: boolean },
  now: Date,
): Promise<AdminAnswer> {
  const { user, memberships } = await database.auth(async (tx) => {
    const found = await requireUser(tx, email)
    return { user: found, memberships: await findMemberships(tx, found.id) }
  })
  const rejectOwner = (owned: readonly { id: string; name: string }[]): never => {
    const names = owned.map(({ id, name }) => `“${name}” (${id})`).join(', ')
    throw new AdminError(
      `${user.email} owns ${names}. Delete that first: “organisation delete <id>”.`,
    )
  }
  const owned = memberships.filter(({ user_id }) => user_id === user.id)
  if (owned.length > 0) rejectOwner(owned)
  const organisations = memberships.length
  const places = `${organisations} ${organisations === 1 ? 'organisation' : 'organisations'}`
  const effect = `What ${user.email} wrote stays in ${places}, as by “A former member”; plans go to the owner of the organisation, accounts and actions to no one`
  if (!confirmed)
    throw new AdminError(
      `${effect}. Profile, sign-ins and settings are deleted for good. Nothing was done: repeat it with --yes.`,
    )
  await deleteUser(database, user.id, { now, rejectOwner })
  return {
    message: `${user.email} was deleted. ${effect}.`,
    details: { email: user.email, organisations },
  }
}
