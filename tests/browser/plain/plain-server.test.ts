// The built app on a static host, in front of a plain server on another origin.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ORIGIN } from '../fixtures/chromium.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { tagColours } from '../specification/specification-fixture.ts'
import { nothingWaits, signedIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

const plan = (page: Page, title: string) => page.getByText(title, { exact: true }).first()

longTest('one odd value hides nothing else, and the sync centre names its field', async () => {
  const { api, page, warnings } = await signedIn({
    oddities: {
      'days-localised': 'first',
      'numbers-as-strings': 'all',
      'booleans-as-numbers': 'all',
    },
    unknownRoutes: 403,
    perPage: 'refused',
  })
  await plan(page, 'Plan 1').waitFor()
  await plan(page, 'Plan 20').waitFor()
  const pill = page.getByRole('button', { name: 'Sync: Not all shown. Show details' })
  await pill.click()
  await page.getByText('1 plan is shown without “end_date”: it is not a date.').waitFor()
  await waitUntil('the console names the value', () =>
    warnings.some((text) => text.includes('success_plans 1, end_date (string)')),
  )
  const isReported = () => isStored(page, '"path":"end_date"')
  expect(await isReported()).toBe(true)
  api.options.oddities = {}
  await page.keyboard.press('Escape')
  await page.reload()
  await plan(page, 'Plan 20').waitFor()
  // The pill speaks only after two seconds.
  await waitUntil('all is read again', async () => !(await isReported()))
  await pill.waitFor({ state: 'detached' })
})

longTest(
  'an update whose times cannot be read is shown without one, and the sync centre says so',
  async () => {
    const { api, page } = await signedIn({})
    const [update] = api.records.tables.updates
    Object.assign(update ?? {}, { written_at: 'last Monday', created_at: '1/3/26 9:00' })
    await page.goto(`${ORIGIN}/success-plans/1`)
    const card = page.getByRole('article').filter({ hasText: 'Kick-off of plan 1.' })
    await card.getByText('Time unknown').waitFor()
    await page.getByRole('button', { name: 'Sync: Not all shown. Show details' }).click()
    await page.getByText('1 update is shown without “written_at”: it is not a date.').waitFor()
  },
)

longTest('people, accounts and plans with the same ids keep their own names', async () => {
  const { api, page } = await signedIn({})
  const [account] = api.records.tables.accounts
  expect([account?.id, api.users[0]?.id]).toEqual(['1', '1'])
  const row = page.getByRole('row').filter({ hasText: 'Plan 1' }).first()
  await waitUntil('the row names the account and the owner', async () => {
    const text = (await row.textContent()) ?? ''
    return text.includes('Account 1') && text.includes('Ana Plain')
  })
  await plan(page, 'Plan 1').click()
  api.refuse({ path: /success-plans\/1\/updates$/, method: 'POST' }, 503)
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await page.getByRole('button', { name: 'Post update' }).click()
  await page.getByRole('button', { name: /^Sync: .*1 waiting/ }).click()
  await page.getByText('Update on “Plan 1”').waitFor()
})

test('Tag colours: primary for any other value. The label shows the status with hyphens replaced by spaces.', async () => {
  const { api, page } = await signedIn({})
  for (const one of api.records.tables['success-plans']) one.status = 'on-long-hold'
  await page.goto(`${ORIGIN}/success-plans/1`)
  const tag = page.getByRole('main').getByText('on long hold', { exact: true }).first()
  await tag.waitFor()
  const { found, wanted } = await tagColours(tag, 'primary')
  expect(found).toBe(wanted)
})

test('a server that only lets the headers of the specification through gets no other', async () => {
  const { api, page } = await signedIn({})
  await plan(page, 'Plan 1').click()
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await page.getByRole('button', { name: 'Post update' }).click()
  await page.getByRole('article').filter({ hasText: 'They signed.' }).waitFor()
  await nothingWaits(page)
  expect(api.seen('POST', /updates$/)).toHaveLength(1)
  const paths = api.requests.map(({ path }) => path)
  expect(paths.filter((path) => /changes|events|templates|invites|healthz/.test(path))).toEqual([])
})

test('a server that lets no write through is shown as a server problem', async () => {
  const { api, page } = await signedIn({})
  await plan(page, 'Plan 1').click()
  const text = page.getByRole('textbox', { name: 'Update', exact: true })
  await text.waitFor()
  api.options.cors = { ...api.options.cors, allowedHeaders: 'Authorization, X-organisation' }
  await text.fill('They signed.')
  await page.getByRole('button', { name: 'Post update' }).click()
  const pill = page.getByRole('button', { name: /^Sync: Server problem · 1 waiting/ })
  await pill.click()
  await page.getByText(/^The server does not answer as agreed\. Keep working/).waitFor()
  expect(api.seen('POST', /updates$/)).toEqual([])
})

test('no link or menu leads to what the server does not have', async () => {
  const { api, page } = await signedIn({})
  await plan(page, 'Plan 20').waitFor()
  expect(await page.getByRole('link', { name: 'Templates', exact: true }).count()).toBe(0)
  await page.goto(`${ORIGIN}/templates`)
  await page.getByRole('heading', { name: 'No templates on this server' }).waitFor()
  await page.goto(`${ORIGIN}/auth?forgotten`)
  await page.waitForURL(`${ORIGIN}/`)
  await page.goto(`${ORIGIN}/settings/organisation/members`)
  await page.getByRole('heading', { name: 'Invite someone' }).waitFor()
  await page.goto(`${ORIGIN}/settings/profile`)
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
  const asked = api.requests.filter(({ status }) => status === 404)
  expect(asked.map(({ path }) => path)).toEqual([])
})

longTest(
  'no key leads to what the server does not have, and the list of keys names none',
  async () => {
    const { page } = await signedIn({})
    await plan(page, 'Plan 1').waitFor()
    const { pathname } = new URL(page.url())
    await page.locator('main h1').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    // The next key arrives when those before it have done what they do.
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('G A', { exact: true }).waitFor()
    expect(await sheet.getByText('G T', { exact: true }).count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(pathname)
  },
)

longTest(
  'a screen says that the server lacks its call, and shows no count that the server does not give',
  async () => {
    // From the start: what the device has read before would be shown in place of the message.
    const { page } = await signedIn({}, {}, (api) =>
      api.refuse(
        { path: /\/(accounts|actions|organisation-users|notification-consents|onboarding)$/ },
        404,
      ),
    )
    const lacks = page.getByText('This server does not offer this. Everything else works as usual.')
    for (const path of [
      '/accounts',
      '/settings/notifications',
      '/settings/organisation/members',
      '/success-plans',
    ]) {
      await page.goto(ORIGIN + path)
      if (path === '/success-plans') await plan(page, 'Plan 20').waitFor()
      else await lacks.waitFor()
    }
    await page.goto(`${ORIGIN}/success-plans/1?show=initiatives`)
    await page.getByText('First step', { exact: true }).first().waitFor()
    expect(await page.getByText('No actions').count()).toBe(0)
    await page.goto(`${ORIGIN}/settings/organisation/billing`)
    await page.getByRole('heading', { name: 'Customer portal' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Usage' }).count()).toBe(0)
    await page.goto(`${ORIGIN}/settings/organisation/plans`)
    await page.getByText('Offline use, all features').waitFor()
    // The limits of Cairn’s own server are not those of this one.
    expect(await page.getByText('Open success plans').count()).toBe(0)
    await page.goto(`${ORIGIN}/onboarding`)
    await page.getByRole('link', { name: 'Open Cairn' }).click()
    await page.waitForURL(`${ORIGIN}/`)
  },
)

longTest(
  'a page in place of one list is shown as a server problem, and costs no other list',
  async () => {
    const { api, page } = await signedIn({})
    await plan(page, 'Plan 20').waitFor()
    api.refuse({ path: /\/(accounts|initiatives)$/ }, 200, '<h1>Hi</h1>')
    await page.goto(`${ORIGIN}/settings/organisation/members`)
    await page.getByRole('button', { name: 'Sync: Server problem. Show details' }).click()
    await page.getByText(/^The server does not answer as agreed\. Keep working/).waitFor()
    // By its label: behind a dialog it has no role.
    await page.locator('[aria-label="Members"]').getByText('Ana Plain').waitFor()
  },
)

longTest(
  'a list that the server cannot answer is named, and its screen says how old it is',
  async () => {
    const { api, page } = await signedIn({})
    await page.goto(`${ORIGIN}/accounts`)
    await page.getByText('Account 2', { exact: true }).first().waitFor()
    const refresh = page.getByRole('button', { name: 'Refresh', exact: true })
    // There is none before all lists were read once.
    await refresh.waitFor()
    const end = api.refuse({ method: 'GET', path: /\/accounts$/ }, 500)
    // The button shares a reading that is under way, which may have had this list already.
    await waitUntil('the list is refused', async () => {
      await refresh.click()
      return api.seen('GET', /\/accounts$/).some(({ status }) => status === 500)
    })
    await page.getByRole('button', { name: 'Sync: Not all shown. Show details' }).click()
    const notice = page.getByRole('region', { name: 'Not everything could be read' })
    await notice.getByText('Accounts could not be read: the server answered 500.').waitFor()
    await notice
      .getByText(/^The server answers, but not with everything\. Nothing is lost/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Not up to date').first().waitFor()
    await page.getByText('Account 2', { exact: true }).first().waitFor()
    end()
    const pill = page.getByRole('button', { name: /^Sync:/ })
    // So does a reading that met the refusal.
    await waitUntil('the list is read again', async () => {
      await refresh.click()
      return (await pill.count()) === 0
    })
    expect(await page.getByText('Not up to date').count()).toBe(0)
  },
)

test('an account of a server with numbers as ids can be chosen, and is not posted in a loop', async () => {
  const { api, page } = await signedIn({
    cors: {
      origin: ORIGIN,
      exposesHeaders: false,
      onErrors: true,
      allowedHeaders:
        'Authorization, Content-Type, Accept, X-organisation, Idempotency-Key, If-Match',
    },
  })
  await page.goto(`${ORIGIN}/success-plans/new`)
  await page.getByLabel('Title', { exact: true }).fill('A new plan')
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Account 2' })
  await page.getByRole('button', { name: 'Create plan' }).click()
  await waitUntil('the plan has arrived', () => api.seen('POST', /success-plans$/).length > 0)
  await page.getByRole('heading', { name: 'A new plan', level: 1 }).waitFor()
  await nothingWaits(page)
  expect(api.seen('POST', /success-plans$/)).toHaveLength(1)
  expect(JSON.parse(api.seen('POST', /success-plans$/)[0]?.body ?? '')).toMatchObject({
    account_id: 2,
  })
})

longTest('a field that the server does not keep is said once, and not offered again', async () => {
  const { api, page } = await signedIn({ unknownFields: { accounts: ['notes'] } })
  await page.goto(`${ORIGIN}/accounts/1?edit`)
  const notes = page.getByRole('textbox', { name: /^Notes/ })
  await notes.fill('Call them.')
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  await page.getByRole('button', { name: /^Sync: Needs attention/ }).click()
  await page.getByText('The server answered, but did not keep: Notes.').waitFor()
  await page.getByText('Accounts: Notes', { exact: true }).waitFor()
  await page.goto(`${ORIGIN}/accounts/2?edit`)
  await page.getByRole('textbox', { name: /^Industry/ }).waitFor()
  await notes.waitFor({ state: 'detached' })
  expect(api.seen('PUT', /accounts/)).toHaveLength(1)
})
