// The digest: one mail in the morning, of a day or of a week, with what its reader wants to know.
import { LOCALE } from '../../contract/locale.ts'
import { dayInTimeZone } from '../../contract/rules.ts'
import { DEFAULT_CONSENTS } from '../../contract/schemas/settings.ts'
import type { Database, Tx } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { loadConsents } from '../routes/settings.ts'
import { buildSections, type Section } from './digest-sections.ts'
import type { Mail } from '../integrations/mail.ts'
import type { MailQueue } from './mail-queue.ts'

interface DigestContext {
  database: Database
  mail: MailQueue
  publicUrl: () => string
  now: () => Date
}

interface User {
  id: string
  name: string
  email: string
}

/** The hours of the morning: a server that was away in the first one makes up for it. */
const MORNING_HOURS = { from: 7, to: 12 }
const MONDAY = 'Mon'
const WEEKEND = ['Sat', 'Sun']
const DAY_MS = 86_400_000
/** What happens now may not be committed yet: it is told the next time. */
const COMMIT_MARGIN_MS = 60_000
const BATCH_SIZE = 200
/** More are said as a number. */
const MAX_ITEMS = 15

/** The working day that begins in a time zone, if it is morning there. */
export function morningIn(
  timeZone: string,
  now: Date,
): { day: string; isMonday: boolean } | undefined {
  const format = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(LOCALE, { timeZone, ...options }).format(now)
    } catch {
      return new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', ...options }).format(now)
    }
  }
  const hour = Number(format({ hour: 'numeric', hourCycle: 'h23' }))
  if (hour < MORNING_HOURS.from || hour >= MORNING_HOURS.to) return undefined
  const weekday = format({ weekday: 'short' })
  if (WEEKEND.includes(weekday)) return undefined
  return { day: dayInTimeZone(timeZone, now), isMonday: weekday === MONDAY }
}

/**
 * Sends the digests of those for whom it is morning and who have not had theirs. Any number of
 * processes may do it at the same time: the row of the day is taken once.
 */
export async function sendDigests(work: DigestContext): Promise<void> {
  const { database, mail } = work
  const now = work.now()
  const zones = await database.system((tx) =>
    tx.selectFrom('users').select('timezone').distinct().execute(),
  )
  for (const { timezone } of zones) {
    const morning = morningIn(timezone, now)
    if (!morning) continue
    let lastId = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const users = await database.system((tx) => recipientsIn(tx, timezone, morning, lastId))
      for (const user of users)
        await enqueueDigest(work, user, { day: morning.day, now }).catch((error: unknown) =>
          log('error', 'digest not written', { user_id: user.id, ...errorFields(error) }),
        )
      lastId = users.at(-1)?.id ?? ''
      if (users.length < BATCH_SIZE) break
    }
  }
  await mail.deliver()
}

/** Who in a time zone wants one this morning, and has none yet. */
const recipientsIn = (
  tx: Tx,
  timezone: string,
  { day, isMonday }: { day: string; isMonday: boolean },
  after: string,
): Promise<User[]> =>
  tx
    .selectFrom('users')
    .leftJoin('notification_consents as consents', 'consents.user_id', 'users.id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('users.timezone', '=', timezone)
    .where('users.id', '>', after)
    .where(
      (row) => row.fn.coalesce('consents.digest', row.val<string>(DEFAULT_CONSENTS.digest)),
      'in',
      isMonday ? ['daily', 'weekly'] : ['daily'],
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('digests')
            .select('day')
            .whereRef('digests.user_id', '=', 'users.id')
            .where('day', '=', day),
        ),
      ),
    )
    .orderBy('users.id')
    .limit(BATCH_SIZE)
    .execute()

/** Takes the day and writes the mail, both or neither; nothing where there is nothing to say. */
const enqueueDigest = (
  { database, mail, publicUrl }: DigestContext,
  user: User,
  { day, now }: { day: string; now: Date },
): Promise<void> =>
  database.system(async (tx) => {
    const at = new Date(now.getTime() - COMMIT_MARGIN_MS).toISOString()
    const claimed = await tx
      .insertInto('digests')
      .values({ user_id: user.id, day, at })
      .onConflict((conflict) => conflict.columns(['user_id', 'day']).doNothing())
      .returning('day')
      .executeTakeFirst()
    if (!claimed) return
    const last = await tx
      .selectFrom('digests')
      .select((row) => row.fn.max('at').as('at'))
      .where('user_id', '=', user.id)
      .where('day', '<', day)
      .executeTakeFirst()
    const consents = await loadConsents(tx, user.id)
    const isDaily = consents.digest === 'daily'
    const since =
      last?.at ?? new Date(now.getTime() - (isDaily ? DAY_MS : 7 * DAY_MS)).toISOString()
    const organisations = await tx
      .selectFrom('organisation_users')
      .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
      .select(['organisations.id', 'organisations.name', 'organisations.timezone'])
      .where('organisation_users.user_id', '=', user.id)
      .orderBy('organisations.name')
      .execute()
    const parts: { name: string; sections: Section[] }[] = []
    for (const organisation of organisations) {
      const recipient = { id: user.id, consents, since, until: at }
      const sections = await buildSections(tx, organisation, recipient, now)
      if (sections.length > 0) parts.push({ name: organisation.name, sections })
    }
    if (parts.length === 0) return
    const until = new Date(now.getTime() + DAY_MS).toISOString()
    await mail.enqueue(tx, compose(user, parts, { isDaily, url: publicUrl() }), {
      expiresAt: until,
    })
  })

function compose(
  user: User,
  parts: { name: string; sections: Section[] }[],
  { isDaily, url }: { isDaily: boolean; url: string },
): Mail {
  const unsubscribe = `${url}/settings/notifications`
  const paragraphs = parts.flatMap(({ name, sections }) => [
    `In ${name}:`,
    ...sections.map(({ heading, items }) => {
      const lines = items.slice(0, MAX_ITEMS).map(({ words, path }) => `- ${words}\n${url}${path}`)
      const rest = items.length - MAX_ITEMS
      return [`${heading}:`, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
    }),
  ])
  return {
    to: user.email,
    subject: isDaily ? 'Your day in Cairn' : 'Your week in Cairn',
    text: [
      `Hello ${user.name},`,
      ...paragraphs,
      `Choose what is in this email, and how often you get it, in your settings:\n${unsubscribe}`,
    ].join('\n\n'),
    unsubscribe,
  }
}
