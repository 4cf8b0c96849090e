// The content of a digest: the sections that the reader chose, of their organisations, and no old news.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CONSENTS } from '../../../contract/schemas/settings.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { DigestFixture } from '../fixtures/digest-fixture.ts'
import { waitFor } from '../../wait-for.ts'

let scene: DigestFixture
beforeAll(async () => {
  scene = await DigestFixture.open()
})
beforeEach(() => scene.reset())
afterAll(() => scene.world.close())

test('a weekly digest is one mail, with urgent work first and a link to each item', async () => {
  const { stale, told, late } = await scene.createDueWork()
  const before = scene.world.mails.length
  const text = (await scene.digestNextMorning()) ?? ''
  const mail = scene.world.mails.slice(before).find(({ to }) => to === scene.jonas.email)
  expect(mail?.subject).toBe('Your week in Cairn')
  expect(mail?.unsubscribe).toBe('https://cairn.example.com/settings/notifications')
  const short = (days: number) =>
    new Date(`${scene.day(days - 1)}T00:00:00Z`).toLocaleDateString('en', {
      timeZone: 'UTC',
      month: 'short',
      day: 'numeric',
      ...(scene.day(days - 1).slice(0, 4) !== scene.day(0).slice(0, 4) && { year: 'numeric' }),
    })
  const plans = 'https://cairn.example.com/success-plans'
  expect(text).toBe(`Hello Jonas,

In Mia’s organisation:

Overdue:
- Late thing, due ${short(-3)}
${plans}/${told}?show=initiatives#${late}

Due soon:
- Near thing, due ${short(2)}
https://cairn.example.com/

Actions assigned to you:
- Late thing, by Mia
${plans}/${told}?show=initiatives#${late}
- Near thing, by Mia
https://cairn.example.com/

Plans assigned to you:
- Quiet plan, by Mia
${plans}/${stale}
- Told plan, by Mia
${plans}/${told}

Plans that need an update:
- Quiet plan
${plans}/${stale}

Updates by others on your plans:
- Told plan, by Mia
${plans}/${told}

Choose what is in this email, and how often you get it, in your settings:
https://cairn.example.com/settings/notifications`)
})

const HEADINGS: Record<string, string> = {
  action_overdue: 'Overdue:',
  action_due: 'Due soon:',
  action_assigned: 'Actions assigned to you:',
  plan_assigned: 'Plans assigned to you:',
  plan_stale: 'Plans that need an update:',
  plan_update: 'Updates by others on your plans:',
}

test.each(Object.keys(HEADINGS))('a reader who turned off %s gets the rest', async (kind) => {
  await scene.createDueWork()
  await scene.consent({ email: { [kind]: false } })
  const text = await scene.digestNextMorning()
  const shown = Object.values(HEADINGS).filter((heading) => text?.includes(heading))
  expect(shown).toEqual(Object.values(HEADINGS).filter((heading) => heading !== HEADINGS[kind]))
})

test('a reader without digest or consents gets no mail', async () => {
  await scene.createDueWork()
  await scene.consent({ digest: 'off' })
  expect(await scene.digestNextMorning()).toBeUndefined()
  await scene.consent({
    digest: 'daily',
    email: Object.fromEntries(Object.keys(DEFAULT_CONSENTS.email).map((kind) => [kind, false])),
  })
  expect(await scene.digestNextMorning()).toBeUndefined()
})

test('news is sent once, open work again each time', async () => {
  await scene.createDueWork()
  await scene.digestNextMorning()
  await purgeExpired(scene.world.database, scene.world.now)
  const text = await scene.digestNextMorning(scene.jonas, 7)
  for (const heading of ['Actions assigned', 'Plans assigned', 'Updates by'])
    expect(text).not.toContain(heading)
  expect(text).toContain('Overdue:\n- Late thing')
  expect(text).toContain('Plans that need an update')
})

test('a reader’s own changes are not news', async () => {
  const own = await scene.jonas.createPlan({ title: 'Own plan' })
  await scene.update(own, scene.jonas)
  await scene.action({ title: 'Own action' }, scene.jonas)
  const given = await scene.mia.createPlan({ title: 'Given plan' })
  await scene.jonas.call('PATCH', `/api/v1/success-plans/${given}`, {
    body: { owner_id: scene.jonas.id },
  })
  expect(await scene.digestNextMorning()).toBeUndefined()
})

test('reassigned work is news to the present assignee only', async () => {
  const plan = await scene.mia.createPlan({ title: 'Wandering plan' })
  const thing = await scene.action({ title: 'Wandering thing', assignee_id: null })
  const patch = (owner_id: string, by = scene.mia) =>
    by.call('PATCH', `/api/v1/success-plans/${plan}`, { body: { owner_id } })
  await patch(scene.jonas.id)
  const ada = await scene.world.addMember(
    await scene.world.verify(await scene.world.createUser('Ada')),
    scene.mia.organisation,
    'admin',
  )
  await patch(ada.id, scene.jonas)
  await scene.mia.call('PUT', '/api/v1/actions', {
    body: { id: thing, assignee_id: scene.jonas.id },
  })
  const text = await scene.digestNextMorning()
  expect(text).toContain('Wandering thing, by Mia')
  expect(text).not.toContain('Wandering plan')
  const toAda = scene.world.mails.findLast(({ to }) => to === ada.email)?.text
  expect(toAda).toContain('Wandering plan, by Jonas')
})

test('work created from a template is news to its assignees', async () => {
  const made = await scene.mia.post('/api/v1/templates', {
    title: 'T',
    duration_days: 30,
    initiatives: [
      {
        title: 'I',
        start_offset_days: 0,
        end_offset_days: 30,
        actions: [{ title: 'From a template', due_offset_days: 20, assignee_role: 'plan-owner' }],
      },
    ],
  })
  const template_id = made.data<{ id: string }>().id
  await scene.mia.createPlan({ title: 'Plan', owner_id: scene.jonas.id, template_id })
  expect(await scene.digestNextMorning()).toContain('From a template, by Mia')
})

test('work that is done, cancelled or of a closed plan is not due', async () => {
  const plan = await scene.mia.createPlan({ title: 'Ended' })
  const late = { due_date: scene.day(-3) }
  await scene.action({ title: 'Done', status: 'done', ...late })
  await scene.action({ title: 'Cancelled', status: 'cancelled', ...late })
  await scene.action({ title: 'Of an ended plan', success_plan_id: plan, ...late })
  await scene.mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
    body: { status: 'cancelled', note: 'Over' },
  })
  expect(await scene.digestNextMorning()).toBeUndefined()
})

test('the reader sets how many days ahead is due soon', async () => {
  await scene.consent({ due_lead_days: 3, email: { action_assigned: false } })
  // On Sunday these are three to five days away; on Monday, two to four.
  for (const days of [3, 4, 5])
    await scene.action({ title: `In ${days}`, due_date: scene.day(days) })
  const text = await scene.digestNextMorning()
  expect(text).toContain('In 3')
  expect(text).toContain('In 4')
  expect(text).not.toContain('In 5')
})

test('former members and outsiders get no digest', async () => {
  await scene.createDueWork()
  const outsider = await scene.world.createOwner('Outsider')
  const members = (await scene.mia.get('/api/v1/organisation-users')).data<
    { id: string; user_id: string }[]
  >()
  const membership = members.find(({ user_id }) => user_id === scene.jonas.id)?.id ?? ''
  await scene.mia.call('DELETE', `/api/v1/organisation-users/${membership}`)
  const before = scene.world.mails.length
  expect(await scene.digestNextMorning()).toBeUndefined()
  const readers = scene.world.mails.slice(before).map(({ to }) => to)
  expect(readers).not.toContain(outsider.email)
})

test('each of two organisations is named and kept apart', async () => {
  const other = await scene.world.createOwner('Other')
  const jonasElsewhere = await scene.world.addMember(scene.jonas, other.organisation, 'member')
  await scene.createDueWork()
  await other.post('/api/v1/actions', { title: 'Over there', assignee_id: jonasElsewhere.id })
  const text = (await scene.digestNextMorning()) ?? ''
  const [here = '', elsewhere = ''] = text.split('In Other’s organisation:')
  expect(here).toContain('In Mia’s organisation:')
  expect(here).not.toContain('Over there')
  expect(elsewhere).toContain('Over there')
  expect(elsewhere).not.toContain('Late thing')
})

test('long lists are shortened, and names are not rendered as links', async () => {
  await scene.mia.call('PUT', `/api/v1/organisations/${scene.mia.organisation}`, {
    body: { name: 'https://evil.example' },
  })
  for (let count = 0; count < 17; count += 1)
    await scene.action({ title: 'https://evil.example', due_date: scene.day(-1) })
  const text = (await scene.digestNextMorning()) ?? ''
  expect(text).toContain('Overdue:\n- https://evil.example, due')
  expect(text.match(/^and 2 more$/gm)).toHaveLength(2)
  const links = text.split('\n').filter((line) => /^https?:\/\/\S+$/.test(line))
  expect(links.filter((link) => !link.startsWith('https://cairn.example.com/'))).toEqual([])
})

test('the link for a new password goes before the digests that wait', async () => {
  const { world, jonas } = scene
  const expiresAt = new Date(world.now.getTime() + 86_400_000).toISOString()
  const digest = (to: string) => ({ to, subject: 'Your day in Cairn', text: 'News' })
  await world.database.system(async (tx) => {
    for (const to of ['one@example.com', 'two@example.com'])
      await world.mail.enqueue(tx, digest(to), { expiresAt })
  })
  const before = world.mails.length
  world.advance({ seconds: 1 })
  await jonas.post('/api/v1/forgot-password', { email: jonas.email })
  const sent = () => world.mails.slice(before).map(({ to }) => to)
  await waitFor(() => expect(sent()).toHaveLength(3))
  expect(sent()[0]).toBe(jonas.email)
})
