// Carries out what an operator asks for.
import { sql } from 'kysely'
import { mailLink } from '../../../contract/links.ts'
import { VERSION } from '../../configuration/version.ts'
import { isOutOfRoom, type Database } from '../../database/database.ts'
import { schemaOf } from '../../database/migrate.ts'
import { SETUP_HOURS, createSetupLink } from '../../domain/setup-link.ts'
import { deleteOrganisation, listOrganisations, raiseAllVersions } from './organisations.ts'
import { AdminError, type AdminAnswer, type AdminRequest } from './request.ts'
import {
  DELETED,
  createUser,
  endSignIns,
  listUsers,
  removeUser,
  resetPassword,
  setSuperadmin,
} from './users.ts'

/** What requests are carried out with. */
export interface AdminContext {
  database: Database
  now: () => Date
  /** Origin of the app, for links. */
  publicUrl: () => string
}

type Request = Exclude<AdminRequest, { action: 'organisation export' }>

/** Carries out a request. Throws AdminError when it cannot be. An export is written by `exportOrganisation`. */
export async function perform(context: AdminContext, request: Request): Promise<AdminAnswer> {
  try {
    return await carryOut(context, request)
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    throw new AdminError('The disk of the database is nearly full. Make room first.')
  }
}

async function carryOut(
  { database, now, publicUrl }: AdminContext,
  request: Request,
): Promise<AdminAnswer> {
  switch (request.action) {
    case 'user create':
      return createUser(database, request, now())
    case 'user list':
      return listUsers(database)
    case 'user reset-password':
      return resetPassword(database, request, now())
    case 'user end-sign-ins':
      return endSignIns(database, request, now())
    case 'user delete':
      return removeUser(database, request, now())
    case 'superadmin grant':
      return setSuperadmin(database, { ...request, superadmin: true }, now())
    case 'superadmin revoke':
      return setSuperadmin(database, { ...request, superadmin: false }, now())
    case 'organisation list':
      return listOrganisations(database)
    case 'organisation delete':
      return deleteOrganisation(database, request)
    case 'versions raise':
      return raiseAllVersions(database)
    case 'setup-link': {
      const token = await database.auth((tx) => createSetupLink(tx, now()))
      const link = mailLink(publicUrl(), 'invite', token)
      const message = `This link makes a superadmin, once, within ${SETUP_HOURS} hours: ${link}`
      return { message, details: { link } }
    }
    case 'status':
  }
  return { message: 'The database answers.', details: await readStatus(database) }
}

/** For doctor: the clock of the database (ISO 8601), versions, and the numbers of users. */
const readStatus = (database: Database) =>
  database.auth(async (tx) => {
    const found = await tx
      .selectFrom('users')
      .where('email', 'not like', DELETED)
      .select((row) => [
        row.fn.countAll<number>().as('users'),
        row.fn.countAll<number>().filterWhere('superadmin', '=', true).as('superadmins'),
      ])
      .executeTakeFirstOrThrow()
    const { rows } = await sql<{ clock: string }>`select clock_timestamp() as clock`.execute(tx)
    return {
      ...found,
      clock: rows[0]?.clock ?? null,
      version: VERSION,
      schema: schemaOf(database.migrations),
    }
  })
