// Joining and leaving an organisation, and what happens to the records of members who leave.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'

let world: ApiFixture
let mia: ApiUser
let admin: ApiUser
let member: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
})
beforeEach(async () => {
  mia = await world.createOwner('Mia')
  admin = await world.addMember(await world.createUser('Ada'), mia.organisation, 'admin')
  member = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
})
afterAll(() => world.close())

const INVITES = '/api/v1/organisation-invites'
const ACCEPT = `${INVITES}/accept`
const USERS = '/api/v1/organisation-users'
const FORBIDDEN = { status: 403, body: { message: 'You may not do this.' } }
const OVER = { status: 404, body: { message: 'This link is no longer valid.' } }

/** Invites, and returns the token from the mail. */
async function invite(by: ApiUser, email: string, fields: object = {}) {
  const made = await by.post(INVITES, { email, ...fields })
  if (made.status !== 201) throw new Error(`It was refused: ${made.text}`)
  const mail = world.mails.at(-1)
  const [, token = ''] = /#invite_token=([\w-]+)$/m.exec(mail?.text ?? '') ?? []
  return { id: made.data<{ id: string }>().id, token, mail, made }
}
const membersOf = async (person: ApiUser) =>
  (await person.get(USERS)).data<{ id: string; user_id: string; pivot: { role: string } }[]>()
const membershipOf = async (person: ApiUser) =>
  (await membersOf(mia)).find(({ user_id }) => user_id === person.id)?.id ?? ''

test('an invitation is mailed and makes its reader a member', async () => {
  const jonas = await world.createUser('Jonas')
  await world.verify(admin)
  const { made, mail, token } = await invite(admin, jonas.email.toUpperCase(), { role: 'admin' })
  expect(made.data()).toMatchObject({ email: jonas.email, role: 'admin', status: 'pending' })
  expect(made.text).not.toContain(token)
  expect(mail).toMatchObject({ to: jonas.email, subject: 'You are invited to Cairn' })
  expect(mail?.text).toContain(
    `Ada (${admin.email}) invites you to work in the organisation “Mia’s organisation” on Cairn.`,
  )
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
  expect((await jonas.inOrganisation(mia.organisation).get('/api/v1/success-plans')).status).toBe(
    200,
  )
  const [listed] = (await mia.get(INVITES)).data<object[]>()
  expect(listed).toMatchObject({ status: 'accepted' })
})

test('other members’ devices learn of a new member', async () => {
  const jonas = await world.createUser('Jonas')
  const { token } = await invite(mia, jonas.email)
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  await jonas.post(ACCEPT, { token })
  const { data } = (await mia.get(`/api/v1/changes?since=${String(version)}`)).json
  expect(data).toMatchObject({ organisation_users: [{ user_id: jonas.id }] })
})

test('an invitation works once', async () => {
  const jonas = await world.createUser('Jonas')
  const { token } = await invite(mia, jonas.email)
  const both = await Promise.all([jonas.post(ACCEPT, { token }), jonas.post(ACCEPT, { token })])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '404'])
  expect((await jonas.post(ACCEPT, { token })).statusAndBody).toEqual(OVER)
  expect(
    (await world.call('POST', '/api/v1/verify-token', { body: { token } })).statusAndBody,
  ).toEqual(OVER)
})

test('an expired, revoked and forged invitation get the same answer', async () => {
  const jonas = await world.createUser('Jonas')
  const late = await invite(mia, jonas.email)
  world.advance({ days: 7 })
  const taken = await invite(mia, jonas.email)
  const list = (await mia.get(`${INVITES}?sort=created_at`)).data<{ status: string }[]>()
  expect(list.map(({ status }) => status)).toEqual(['expired', 'pending'])
  expect((await mia.call('DELETE', `${INVITES}/${taken.id}`)).status).toBe(204)
  for (const token of [late.token, taken.token, 'made-up', ''])
    expect((await jonas.post(ACCEPT, { token })).statusAndBody).toEqual(OVER)
})

test.each(['is removed', 'leaves', 'becomes a member'])(
  'an invitation ends when its author %s',
  async (_what) => {
    const second = await world.createUser('Second')
    const { token } = await invite(admin, second.email, { role: 'admin' })
    if (_what === 'leaves')
      await admin.post('/api/v1/leave-organisation', { organisation_id: mia.organisation })
    else if (_what === 'is removed')
      await mia.call('DELETE', `${USERS}/${await membershipOf(admin)}`)
    else
      await mia.call('PUT', `${USERS}/${admin.id}`, { body: { user_id: admin.id, role: 'member' } })
    expect((await second.post(ACCEPT, { token })).statusAndBody).toEqual(OVER)
    expect(
      (await world.call('POST', '/api/v1/verify-token', { body: { token } })).statusAndBody,
    ).toEqual(OVER)
    expect((await mia.get(INVITES)).data()).toEqual([])
  },
)

test('an invitation of a former member ends, also when an earlier version left it there', async () => {
  const second = await world.createUser('Second')
  const { token } = await invite(admin, second.email, { role: 'admin' })
  await world.database.system((tx) =>
    tx.deleteFrom('organisation_users').where('user_id', '=', admin.id).execute(),
  )
  expect((await second.post(ACCEPT, { token })).statusAndBody).toEqual(OVER)
})

test('an invitation names the address of its sender only where it is proven', async () => {
  const owner = await world.createOwner('Mia')
  const mailed = async () =>
    (await invite(owner, `someone-${uuidv7()}@example.com`)).mail?.text ?? ''
  const unproven = await mailed()
  expect(unproven).toMatch(/^Mia invites you to work/)
  expect(unproven).not.toContain(owner.email)
  await world.verify(owner)
  expect(await mailed()).toContain(`Mia (${owner.email}) invites you to work`)
})

test('names in an invitation hold no address to follow', async () => {
  const body = { name: 'Locked, see https://evil.example/now', website: null }
  await mia.call('PUT', `/api/v1/organisations/${mia.organisation}`, { body })
  const { mail } = await invite(mia, `someone-${uuidv7()}@example.com`)
  expect(mail?.subject).toBe('You are invited to Cairn')
  expect(mail?.text).toContain('organisation “Locked, see https evil example/now” on Cairn.')
})

const TOO_MANY = 'Too many invitations were sent to this address. Please wait.'

test('invitations to one address, and of one sender, are limited', async () => {
  const email = `someone-${uuidv7()}@example.com`
  const again = async () => {
    const made = await mia.post(INVITES, { email })
    if (made.status === 201)
      await mia.call('DELETE', `${INVITES}/${made.data<{ id: string }>().id}`)
    return made
  }
  for (let count = 0; count < 3; count += 1) expect((await again()).status).toBe(201)
  const fourth = await again()
  expect(fourth.statusAndBody).toEqual({
    status: 429,
    body: { message: TOO_MANY, errors: { email: [TOO_MANY] } },
  })
  expect(fourth.headers.get('Retry-After')).toBe('86400')
  // Mia has not proven her own address: ten in a day.
  for (let count = 3; count < 10; count += 1) await invite(mia, `${count}-${email}`)
  expect((await mia.post(INVITES, { email: `10-${email}` })).status).toBe(429)
  await world.verify(mia)
  expect((await mia.post(INVITES, { email: `10-${email}` })).status).toBe(201)
})

test('invitations by others do not keep an organisation from inviting, up to a total', async () => {
  const email = `someone-${uuidv7()}@example.com`
  const status = async (by: ApiUser) => (await by.post(INVITES, { email })).status
  const owners = await Promise.all(
    Array.from({ length: 8 }, (_, index) => world.createOwner(`Owner ${index}`)),
  )
  const [first, unproven, ...others] = owners as [ApiUser, ApiUser, ...ApiUser[]]
  for (const other of others) await world.verify(other)
  // One person in several organisations: five.
  for (let count = 0; count < 5; count += 1) {
    const made = await first.post('/api/v1/organisations', { name: `No ${count}` })
    const own = first.inOrganisation(made.data<{ id: string }>().id)
    expect(await status(own)).toBe(201)
  }
  expect(await status(first)).toBe(429)
  // All who have not proven their own addresses share these.
  expect(await status(unproven)).toBe(429)
  for (const other of others.slice(0, 5)) expect(await status(other)).toBe(201)
  // Ten to one address.
  const refused = await (others[5] as ApiUser).post(INVITES, { email })
  expect(refused.statusAndBody).toEqual({
    status: 429,
    body: { message: TOO_MANY, errors: { email: [TOO_MANY] } },
  })
})

test('an invitation is valid for its address only', async () => {
  const [jonas, eve] = [await world.createUser('Jonas'), await world.createUser('Eve')]
  const { token } = await invite(mia, jonas.email)
  expect((await eve.post(ACCEPT, { token })).statusAndBody).toEqual({
    status: 403,
    body: { message: 'This invitation is for another address.' },
  })
  expect((await jonas.post(ACCEPT, { token })).status).toBe(200)
})

test('registering by invitation makes a member without signing in', async () => {
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
  // Also for an address that is taken: an invitation does not reveal who has an account.
  for (const other of [`other-${email}`, mia.email])
    expect((await register({ email: other })).statusAndBody).toEqual({
      status: 403,
      body: { message: 'This invitation is for another address.' },
    })
  expect((await register({ invite_token: 'made-up' })).statusAndBody).toEqual(
    rejection('invite_token', 'This link is no longer valid.'),
  )
  // The rejected requests created no user.
  const registered = await register({})
  expect(registered.status).toBe(201)
  expect(registered.text).not.toContain('token')
  const emails = (await mia.get(USERS)).data<{ email: string }[]>().map((user) => user.email)
  expect(emails).toContain(email)
})

test('pending invitees and members cannot be invited again', async () => {
  await invite(mia, 'twice@example.com')
  expect((await mia.post(INVITES, { email: 'Twice@example.com' })).statusAndBody).toEqual(
    rejection('email', 'This address already has an invitation.'),
  )
  expect((await mia.post(INVITES, { email: member.email })).statusAndBody).toEqual(
    rejection('email', 'This person is already a member.'),
  )
})

test('a rejected invitation sends no mail', async () => {
  const before = world.mails.length
  await mia.post(INVITES, { email: member.email })
  await mia.post(INVITES, { email: 'not-an-address' })
  expect(world.mails).toHaveLength(before)
})

test('a member can neither invite nor list invitations', async () => {
  const { id } = await invite(mia, 'invited@example.com')
  expect((await member.post(INVITES, { email: 'else@example.com' })).statusAndBody).toEqual(
    FORBIDDEN,
  )
  expect((await member.get(INVITES)).statusAndBody).toEqual(FORBIDDEN)
  expect((await member.call('DELETE', `${INVITES}/${id}`)).statusAndBody).toEqual(FORBIDDEN)
})

const FULL = {
  status: 403,
  body: {
    message: 'The Free plan includes 3 members. Upgrade to add more.',
    code: 'plan_limit_reached',
  },
}
test('simultaneous invitations cannot exceed the free plan’s seats', async () => {
  const free = await world.createOwner('Free', 'free')
  await world.addMember(await world.createUser('Second'), free.organisation, 'member')
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => free.post(INVITES, { email: `${name}-${uuidv7()}@example.com` })),
  )
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '403', '403'])
  expect(answers.find(({ status }) => status === 403)?.statusAndBody).toEqual(FULL)
})

test('an invitation is rejected when the last seat was taken meanwhile', async () => {
  const owner = await world.createOwner('Shrinking')
  const jonas = await world.createUser('Jonas')
  const { token } = await invite(owner, jonas.email)
  for (const name of ['B', 'C'])
    await world.addMember(await world.createUser(name), owner.organisation, 'member')
  await world.database.system((tx) =>
    tx
      .updateTable('organisations')
      .set({ plan: 'free' })
      .where('id', '=', owner.organisation)
      .execute(),
  )
  expect((await jonas.post(ACCEPT, { token })).statusAndBody).toEqual(FULL)
})

const setRole = (by: ApiUser, user: ApiUser, role: string, named = user.id) =>
  by.call('PUT', `${USERS}/${user.id}`, { body: { user_id: named, role } })

test('managers assign roles, and no one can change the owner’s', async () => {
  expect((await setRole(member, member, 'admin')).statusAndBody).toEqual(FORBIDDEN)
  expect((await setRole(admin, member, 'admin')).data()).toMatchObject({
    user_id: member.id,
    pivot: { role: 'admin' },
  })
  expect((await setRole(member, admin, 'member')).status).toBe(200)
  expect((await setRole(admin, member, 'member')).statusAndBody).toEqual(FORBIDDEN)
  // So there is always a member who can manage the organisation.
  expect((await setRole(member, mia, 'member')).statusAndBody).toEqual({
    status: 403,
    body: { message: 'The role of the owner cannot be changed.' },
  })
  expect((await setRole(mia, mia, 'member')).status).toBe(403)
  expect((await setRole(mia, member, 'owner')).status).toBe(422)
  expect((await setRole(mia, member, 'admin', mia.id)).statusAndBody).toEqual(
    rejection('user_id', 'This is not the user in the URL.'),
  )
})

test('a removed member loses access at once, and their records are reassigned', async () => {
  const account_id = uuidv7()
  await member.post('/api/v1/accounts', { id: account_id, name: 'A', owner_id: member.id })
  const plans = [await member.createPlan(), await member.createPlan()]
  const initiative = uuidv7()
  const success_plan_id = plans[0]
  const step = { id: initiative, title: 'I', success_plan_id, owner_id: member.id }
  await member.post('/api/v1/initiatives', step)
  const task = { id: uuidv7(), title: 'T', initiative_id: initiative, assignee_id: member.id }
  await member.post('/api/v1/actions', task)
  await member.post(`/api/v1/success-plans/${plans[0]}/updates`, { body: 'My words' })
  const { version } = (await mia.get('/api/v1/changes?since=0')).json
  const membership = await membershipOf(member)
  expect((await member.call('DELETE', `${USERS}/${membership}`)).statusAndBody).toEqual(FORBIDDEN)
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

test('the owner can neither be removed nor leave', async () => {
  const membership = await membershipOf(mia)
  for (const by of [admin, mia])
    expect((await by.call('DELETE', `${USERS}/${membership}`)).statusAndBody).toEqual({
      status: 403,
      body: { message: 'The owner cannot be removed.' },
    })
  const organisation_id = mia.organisation
  expect((await mia.post('/api/v1/leave-organisation', { organisation_id })).statusAndBody).toEqual(
    {
      status: 403,
      body: { message: 'The owner cannot leave the organisation.' },
    },
  )
})

test('a member can leave any organisation and repeat the call after a lost response', async () => {
  const plan = await member.createPlan()
  const elsewhere = (await world.createOwner('Elsewhere')).organisation
  const headers = { 'Idempotency-Key': uuidv7() }
  const leave = () =>
    member.inOrganisation(elsewhere).call('POST', '/api/v1/leave-organisation', {
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

test('leaving a foreign or unknown organisation gets the same answer', async () => {
  const outsider = await world.createUser('Outsider')
  for (const organisation_id of [mia.organisation, uuidv7()])
    expect(
      (await outsider.post('/api/v1/leave-organisation', { organisation_id })).statusAndBody,
    ).toEqual({
      status: 403,
      body: { message: 'You do not belong to this organisation.' },
    })
  const malformed = await outsider.post('/api/v1/leave-organisation', { organisation_id: '1' })
  expect(Object.keys(malformed.json.errors ?? {})).toEqual(['organisation_id'])
})
