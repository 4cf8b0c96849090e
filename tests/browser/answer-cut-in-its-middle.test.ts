// The headers of an answer arrive, half of its body, and then nothing more: half an answer is none.
import { expect, test } from 'vitest'
import {
  card,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  readyForTheAir,
} from './app.ts'
import { areSentOnce, atAPlan, keysOf, TOKEN, UPDATES } from './at-a-plan.ts'
import { setScene } from './scene.ts'
import { HISTORY } from './team.ts'

const CUT = { kind: 'cut' } as const
const TEXT = 'Cut off in mid-sentence.'

test('of a posting: the same key again, and one update', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  network.break({ method: 'POST', path: UPDATES }, CUT, 2)
  await post(page, TEXT)
  const sent = await network.sees('POST', UPDATES, 3)
  await areSentOnce(scene, page, TEXT)
  expect(sent.map(({ upstream }) => upstream)).toEqual([201, 201, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(keysOf(sent)).toBe(1)
  expect(await card(page, TEXT).count()).toBe(1)
})

test('of a sign-in and of the first download: neither counts, and both are asked for again', async () => {
  const scene = await setScene()
  const { ada, browser, network, unopened, url } = scene
  const page = await browser.open(url)
  network.break({ path: TOKEN }, CUT, 1)
  network.break({ path: /\/changes/ }, CUT, 2)
  await fillSignIn(page, ada)
  await page.getByText('The server did not answer. What you typed is still here').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await pickOrganisation(page)
  await readyForTheAir(page)
  expect(network.seen('GET', /\/changes/).map(({ status }) => status)).toEqual([
    undefined,
    undefined,
    ...network
      .seen('GET', /\/changes/)
      .slice(2)
      .map(() => 200),
  ])

  // The whole organisation is here, not the half that arrived first.
  await network.goDown()
  await planRow(page, scene.plan).waitFor()
  await openPlan(page, unopened)
  await page.getByText(HISTORY.unopened).waitFor()
})
