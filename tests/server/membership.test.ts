// Who comes in, who goes, and what those who go leave behind.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, World, type Person } from './world.ts'

let world: World
let mia: Person
let admin: Person
let member: Person
beforeAll(async () => {
  world = await World.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
})
beforeEach(async () => {
  mia = await world.owner('Mia')
  admin = await world.join(await world.person('Ada'), mia.organisation, 'admin')
  member = await world.join(await world.person('Max'), mia.organisation, 'member')
})
afterAll(() => world.close())

const INVITES = '/api/v1/organisation-invites'
const ACCEPT = `${INVITES}/accept`
const USERS = '/api/v1/organisation-users'
const FORBIDDEN = { status: 403, body: { message: 'You may not do this.' } }
const OVER = { status: 404, body: { message: 'This link is not valid any more.' } }
const refusal = (field: string, message: string) => ({
  status: 422,
  body: { message, errors: { [field]: [message] } },
})

/** Invites, and takes the token out of the mail. */
async function invite(by: Person, email: string, fields: object = {}) {
  const made = await by.post(INVITES, { email, ...fields })
  if (made.status !== 201) throw new Error(`It was refused: ${made.text}`)
  const mail = world.mails.at(-1)
  const [, token = ''] = /#invite_token=([\w-]+)$/m.exec(mail?.text ?? '') ?? []
  return { id: made.data<{ id: string }>().id, token, mail, made }
}
const membersOf = async (person: Person) =>
  (await person.get(USERS)).data<{ id: string; user_id: string; pivot: { role: string } }[]>()
const membershipOf = async (person: Person) =>
  (await membersOf(mia)).find(({ user_id }) => user_id === person.id)?.id ?? ''

test('an invitation comes by mail, and makes its reader a member', async () => {
  const jonas = await world.person('Jonas')
  const { made, mail, token } = await invite(admin, jonas.email.toUpperCase(), { role: 'admin' })
  expect(made.data()).toMatchObject({ email: jonas.email, role: 'admin', status: 'pending' })
  expect(made.text).not.toContain(token)
  expect(mail).toMatchObject({ to: jonas.email, subject: 'Ada invites you to Mia’s organisation' })
  expect(mail?.text).toContain(
    `https://cairn.example.com/auth/registration#invite_token=${token}\n`,
  )
  const facts = await world.call('POST', '/api/v1/verify-token', { body: { token } })
  expect(facts.data()).toEqual({
    type: 'invite',
    email: jonas.email,
    organisation: { id: mia.organisation, name: 'Mia’s organisation' },
  })
  const accepted = await jonas.post(ACCEPT, { token })
  expect(accepted.data()).toMatchObject({ id: mia.organisation, pivot: { role: 'admin' } })
  expect((await jonas.in(mia.organisation).get('/api/v1/success-plans')).status).toBe(200)
  const [listed] = (await mia.get(INVITES)).data<object[]>()
  expect(listed).toMatchObject({ status: 'accepted' })
})

test('devices of the others hear of a new member', async () => {
  const jonas = await world.person('Jonas')
  const { token } = await invite(mia, jonas.email)
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  await jonas.post(ACCEPT, { token })
  const { data } = (await mia.get(`/api/v1/changes?since=${String(version)}`)).json
  expect(data).toMatchObject({ organisation_users: [{ user_id: jonas.id }] })
})

test('an invitation works once', async () => {
  const jonas = await world.person('Jonas')
  const { token } = await invite(mia, jonas.email)
  const both = await Promise.all([jonas.post(ACCEPT, { token }), jonas.post(ACCEPT, { token })])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '404'])
  expect((await jonas.post(ACCEPT, { token })).all).toEqual(OVER)
  expect((await world.call('POST', '/api/v1/verify-token', { body: { token } })).all).toEqual(OVER)
})

test('an invitation that is late, taken back or made up is over, in the same words', async () => {
  const jonas = await world.person('Jonas')
  const late = await invite(mia, jonas.email)
  world.pass({ days: 7 })
  const taken = await invite(mia, jonas.email)
  const list = (await mia.get(`${INVITES}?sort=created_at`)).data<{ status: string }[]>()
  expect(list.map(({ status }) => status)).toEqual(['expired', 'pending'])
  expect((await mia.call('DELETE', `${INVITES}/${taken.id}`)).status).toBe(204)
  for (const token of [late.token, taken.token, 'made-up', ''])
    expect((await jonas.post(ACCEPT, { token })).all).toEqual(OVER)
})

test('an invitation is for its address and nobody else’s', async () => {
  const [jonas, eve] = [await world.person('Jonas'), await world.person('Eve')]
  const { token } = await invite(mia, jonas.email)
  expect((await eve.post(ACCEPT, { token })).all).toEqual({
    status: 403,
    body: { message: 'This invitation is for another address.' },
  })
  expect((await jonas.post(ACCEPT, { token })).status).toBe(200)
})

test('whoever registers by an invitation is a member, and not signed in by it', async () => {
  const email = `new-${uuidv7()}@example.com`
  const { token } = await invite(mia, email)
  const register = (fields: object) =>
    world.call('POST', '/api/v1/register', {
      body: {
        name: 'New',
        email,
        password: PASSWORD,
        password_confirmation: PASSWORD,
        invite_token: token,
        ...fields,
      },
    })
  expect((await register({ email: `other-${email}` })).all).toEqual({
    status: 403,
    body: { message: 'This invitation is for another address.' },
  })
  expect((await register({ invite_token: 'made-up' })).all).toEqual(
    refusal('invite_token', 'This link is not valid any more.'),
  )
  // What was refused left no user behind.
  const registered = await register({})
  expect(registered.status).toBe(201)
  expect(registered.text).not.toContain('token')
  const emails = (await mia.get(USERS)).data<{ email: string }[]>().map((user) => user.email)
  expect(emails).toContain(email)
})

test('nobody is invited twice, or who is a member already', async () => {
  await invite(mia, 'twice@example.com')
  expect((await mia.post(INVITES, { email: 'Twice@example.com' })).all).toEqual(
    refusal('email', 'This address is invited already.'),
  )
  expect((await mia.post(INVITES, { email: member.email })).all).toEqual(
    refusal('email', 'This person is a member already.'),
  )
})

test('a refused invitation mails nobody', async () => {
  const before = world.mails.length
  await mia.post(INVITES, { email: member.email })
  await mia.post(INVITES, { email: 'nobody' })
  expect(world.mails).toHaveLength(before)
})

test('a member neither invites nor sees invitations', async () => {
  const { id } = await invite(mia, 'somebody@example.com')
  expect((await member.post(INVITES, { email: 'else@example.com' })).all).toEqual(FORBIDDEN)
  expect((await member.get(INVITES)).all).toEqual(FORBIDDEN)
  expect((await member.call('DELETE', `${INVITES}/${id}`)).all).toEqual(FORBIDDEN)
})

const FULL = {
  status: 403,
  body: {
    message: 'The free plan allows 3 members. Upgrade to add more.',
    code: 'plan_limit_reached',
  },
}
test('the free plan’s third seat goes to one of those who are invited at once', async () => {
  const free = await world.owner('Free', 'free')
  await world.join(await world.person('Second'), free.organisation, 'member')
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => free.post(INVITES, { email: `${name}-${uuidv7()}@example.com` })),
  )
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '403', '403'])
  expect(answers.find(({ status }) => status === 403)?.all).toEqual(FULL)
})

test('an invitation finds no room when the last seat was taken meanwhile', async () => {
  const owner = await world.owner('Shrinking')
  const jonas = await world.person('Jonas')
  const { token } = await invite(owner, jonas.email)
  for (const name of ['B', 'C'])
    await world.join(await world.person(name), owner.organisation, 'member')
  await world.database.system((tx) =>
    tx
      .updateTable('organisations')
      .set({ plan: 'free' })
      .where('id', '=', owner.organisation)
      .execute(),
  )
  expect((await jonas.post(ACCEPT, { token })).all).toEqual(FULL)
})

const setRole = (by: Person, user: Person, role: string, named = user.id) =>
  by.call('PUT', `${USERS}/${user.id}`, { body: { user_id: named, role } })

test('those who manage give roles, and nobody changes the owner’s', async () => {
  expect((await setRole(member, member, 'admin')).all).toEqual(FORBIDDEN)
  expect((await setRole(admin, member, 'admin')).data()).toMatchObject({
    user_id: member.id,
    pivot: { role: 'admin' },
  })
  expect((await setRole(member, admin, 'member')).status).toBe(200)
  expect((await setRole(admin, member, 'member')).all).toEqual(FORBIDDEN)
  // So there is always somebody left who manages.
  expect((await setRole(member, mia, 'member')).all).toEqual({
    status: 403,
    body: { message: 'The role of the owner cannot be changed.' },
  })
  expect((await setRole(mia, mia, 'member')).status).toBe(403)
  expect((await setRole(mia, member, 'owner')).status).toBe(422)
  expect((await setRole(mia, member, 'admin', mia.id)).all).toEqual(
    refusal('user_id', 'This is not the user of the address.'),
  )
})

test('a removed member is out at once, and what was theirs goes to others', async () => {
  const account_id = uuidv7()
  await member.post('/api/v1/accounts', { id: account_id, name: 'A', owner_id: member.id })
  const plans = [await member.plan(), await member.plan()]
  const initiative = uuidv7()
  const success_plan_id = plans[0]
  const step = { id: initiative, title: 'I', success_plan_id, owner_id: member.id }
  await member.post('/api/v1/initiatives', step)
  const task = { id: uuidv7(), title: 'T', initiative_id: initiative, assignee_id: member.id }
  await member.post('/api/v1/actions', task)
  await member.post(`/api/v1/success-plans/${plans[0]}/updates`, { body: 'My words' })
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  const membership = await membershipOf(member)
  expect((await member.call('DELETE', `${USERS}/${membership}`)).all).toEqual(FORBIDDEN)
  expect((await admin.call('DELETE', `${USERS}/${membership}`)).status).toBe(204)
  expect((await member.get('/api/v1/success-plans')).status).toBe(403)
  const page = (await mia.get(`/api/v1/changes?since=${String(version)}`)).json
  const data = page.data as Record<string, { id: string; version: number }[]>
  expect(data).toMatchObject({
    success_plans: plans.map((id) => ({ id, owner_id: mia.id, created_by: member.id })),
    accounts: [{ id: account_id, owner_id: null }],
    initiatives: [{ id: initiative, owner_id: null }],
    actions: [{ id: task.id, assignee_id: null }],
    deleted: [{ type: 'organisation_users', id: membership }],
  })
  const { success_plans = [], accounts = [], initiatives = [], actions = [] } = data
  const versions = [success_plans, accounts, initiatives, actions].flat().map((row) => row.version)
  expect(new Set(versions).size).toBe(5)
  const [update] = (await mia.get(`/api/v1/success-plans/${plans[0]}/updates`)).data<object[]>()
  expect(update).toMatchObject({ body: 'My words', user_id: member.id })
})

test('the owner is neither removed nor leaves', async () => {
  const membership = await membershipOf(mia)
  for (const by of [admin, mia])
    expect((await by.call('DELETE', `${USERS}/${membership}`)).all).toEqual({
      status: 403,
      body: { message: 'The owner cannot be removed.' },
    })
  const organisation_id = mia.organisation
  expect((await mia.post('/api/v1/leave-organisation', { organisation_id })).all).toEqual({
    status: 403,
    body: { message: 'The owner cannot leave the organisation.' },
  })
})

test('whoever leaves is out, also when another organisation is active, and hears it again after a tunnel', async () => {
  const plan = await member.plan()
  const elsewhere = (await world.owner('Elsewhere')).organisation
  const headers = { 'Idempotency-Key': uuidv7() }
  const leave = () =>
    member.in(elsewhere).call('POST', '/api/v1/leave-organisation', {
      body: { organisation_id: mia.organisation },
      headers,
    })
  expect((await leave()).status).toBe(204)
  expect((await leave()).status).toBe(204)
  expect((await member.get('/api/v1/success-plans')).status).toBe(403)
  expect((await mia.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    owner_id: mia.id,
  })
})

test('one cannot leave where one is not, whether that exists or not', async () => {
  const stranger = await world.person('Stranger')
  for (const organisation_id of [mia.organisation, uuidv7()])
    expect((await stranger.post('/api/v1/leave-organisation', { organisation_id })).all).toEqual({
      status: 403,
      body: { message: 'You do not belong to this organisation.' },
    })
  const malformed = await stranger.post('/api/v1/leave-organisation', { organisation_id: '1' })
  expect(Object.keys(malformed.json.errors ?? {})).toEqual(['organisation_id'])
})
