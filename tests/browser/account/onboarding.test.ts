// Onboarding, from a new account to the first plan.
import { expect, test } from 'vitest'
import type { Template } from '../../../contract/schemas/templates.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { Onboarding } from '../../../contract/schemas/settings.ts'
import { fillSignIn } from '../fixtures/app.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { storedIn } from '../fixtures/previous-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('onboarding can be skipped and resumed at every step, up to a first plan from a template', async () => {
  const { browser, network, server, url } = await createBrowserFixture()
  const hanna = await ApiUser.register(server.url, 'Hanna Scree')
  const page = await browser.open(`${url}/auth?redirect=%2Fonboarding`)
  await fillSignIn(page, hanna)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const noted = () =>
    network.requests('POST', /\/onboarding$/).filter(({ status }) => status === 200).length
  const goOn = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await heading('Who are you?')
  await page.getByText('Step 1 of 6').waitFor()
  // A phone has no room for the names of all steps below their numbers.
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByText('· Profile').waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Job title').fill('Guide')
  await goOn('Continue')
  await heading('Where do you work?')
  await waitUntil('the step is stored', () => noted() === 1)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Scree and Daughters')
  await waitUntil('the draft is stored', async () =>
    (await storedIn<string>(page, 'drafts')).some((draft) => draft.includes('Scree and Daughters')),
  )
  await page.reload()
  await heading('Where do you work?')
  // On a phone the two ways on stand below each other, in one line with what is above.
  await page.setViewportSize({ width: 360, height: 780 })
  const startOf = (button: string | RegExp) =>
    page.getByRole('button', { name: button }).evaluate((one) => {
      const words = document.createRange()
      words.selectNodeContents(one)
      return Math.round(words.getBoundingClientRect().left)
    })
  expect(await startOf('Finish later')).toBe(await startOf(/^Skip this step and/))
  await page.setViewportSize({ width: 1280, height: 800 })
  await waitUntil(
    'the name is restored',
    async () => (await name.inputValue()) === 'Scree and Daughters',
  )
  await page.getByRole('link', { name: '1 Profile, done' }).waitFor()
  // The organisation was created and the answer was lost: the retry creates no second one.
  // Each answer, because a browser may retry by itself when a connection breaks.
  const repair = network.injectFault(
    { method: 'POST', path: /organisations$/ },
    { kind: 'answer-lost' },
  )
  await goOn('Create organisation')
  await page.getByText(/The server did not answer/).waitFor()
  repair()
  const create = page.getByRole('button', { name: 'Create organisation' })
  await waitUntil('the form can be submitted again', async () => {
    return (await create.getAttribute('aria-disabled')) === null
  })
  await create.click()

  await heading('Who works with you?')
  await goOn('Finish later')
  await page.getByRole('link', { name: /^Set up step by step/ }).click()
  await heading('Who works with you?')
  await goOn('Skip this step')
  await heading('Who is your first customer?')
  await page.getByLabel('Customer name').fill('Lower Farm')
  await goOn('Add account')
  await heading('What is your first plan?')
  await page.getByLabel('Template').selectOption({ label: 'Onboarding in 90 days' })
  await page.getByRole('list', { name: 'What this template adds' }).waitFor()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(
    'Onboarding in 90 days: Lower Farm',
  )
  await goOn('Create plan')
  await heading('Install the app')
  await waitUntil('the step is stored on the device', async () => {
    const cached = await storedIn<{ steps?: Onboarding['steps'] } | undefined>(page, 'cache')
    return cached.some((value) => value?.steps?.first_plan)
  })
  // What was stored is shown until the server answers.
  const release = network.hold({ method: 'GET', path: /\/onboarding$/ })
  await page.reload()
  await heading('Install the app')
  await goOn('Skip this step')
  await heading('You are set up')
  expect(await page.getByRole('listitem').filter({ hasText: 'later' }).allInnerTexts()).toEqual([
    expect.stringContaining('Invite'),
    expect.stringContaining('Install'),
  ])
  release()
  await goOn('Open Cairn')
  await page.getByRole('link', { name: 'Organisation: Scree and Daughters' }).waitFor()

  const list = async <T>(path: string, who = hanna) =>
    ((await who.call('GET', path)) as { data: T }).data
  expect(await list<Onboarding>('/api/v1/onboarding')).toEqual({
    status: 'skipped',
    steps: {
      profile: true,
      organisation: true,
      invite: false,
      first_account: true,
      first_plan: true,
      install: false,
    },
  })
  const organisations = await list<Organisation[]>('/api/v1/organisations')
  expect(organisations.map((one) => one.name)).toEqual(['Scree and Daughters'])
  const inside = new ApiUser(server.url, hanna.name, organisations[0])
  await inside.signIn()
  const [plans, templates] = await waitUntil('the plan is sent', async () => {
    const sent = await list<SuccessPlan[]>('/api/v1/success-plans', inside)
    return sent.length > 0 && ([sent, await list<Template[]>('/api/v1/templates', inside)] as const)
  })
  expect(templates.map(({ title }) => title)).toEqual(['Onboarding in 90 days'])
  expect(plans).toMatchObject([{ title: 'Onboarding in 90 days: Lower Farm', actions_count: 7 }])
})
