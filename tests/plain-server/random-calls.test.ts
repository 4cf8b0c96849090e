// The plain server that the simulation talks to is the one that browsers talk to: the same random calls get
// the same answers within the process and over HTTP.
import { expect, onTestFinished, test } from 'vitest'
import { Rng } from '../sync/simulation/simulated-environment.ts'
import { PlainApi, type PlainRequest } from './plain-api.ts'
import type { PlainOptions } from './plain-options.ts'
import { PlainServer } from './plain-server.ts'

const CALLS = 60
const ANA = { grant_type: 'password', username: 'ana@plain.test', password: 'a plain password' }

interface Answer {
  status: number
  text: string
}
type Send = (request: PlainRequest) => Promise<Answer>

/** A random call, valid or not. */
function randomCall(rng: Rng): { method: string; url: string; body?: object } {
  const noun = rng.pick(['accounts', 'success-plans', 'initiatives', 'actions', 'templates'])
  const id = 1 + rng.integerBelow(7)
  const title = rng.pick(['A plan', '', 'Tom & <b>Jerry</b>', 'ä  ö'])
  const body = { title, name: title, success_plan_id: id, progress: id, status: 'paused', id }
  const url = `/api/v1/${noun}`
  const page = rng.pick(['', '?page=2', '?page=1&per_page=2', '?filters[title]=plan'])
  return rng.pick<{ method: string; url: string; body?: object }>([
    { method: 'GET', url: url + page },
    { method: 'GET', url: `${url}/${id}` },
    { method: 'GET', url: `/api/v1/success-plans/${id}/updates${page}` },
    { method: 'POST', url: `/api/v1/success-plans/${id}/updates`, body: { body: title } },
    { method: 'POST', url, body },
    { method: 'PUT', url: noun === 'actions' ? url : `${url}/${id}`, body },
    { method: 'PATCH', url: `${url}/${id}`, body },
    { method: 'DELETE', url: `${url}/${id}` },
    { method: 'GET', url: '/api/v1/changes?since=0' },
    { method: 'GET', url: '/api/v1/userinfo' },
  ])
}

const withoutTimes = (text: string) => text.replaceAll(/"(created|updated)_at":"[^"]*"/g, '')

/** Sends calls as Ana; the answers without what the moment decides. */
async function converse(send: Send, seed: number): Promise<Answer[]> {
  const rng = new Rng(seed)
  const json = { 'Content-Type': 'application/json' }
  const signedIn = await send({
    method: 'POST',
    url: '/oauth/token',
    headers: json,
    body: JSON.stringify(ANA),
  })
  const { access_token } = JSON.parse(signedIn.text) as { access_token: string }
  const answers: Answer[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const { method, url, body } = randomCall(rng)
    const headers: Record<string, string> = {
      ...(rng.withProbability(0.9) && { Authorization: `Bearer ${access_token}` }),
      ...(rng.withProbability(0.9) && { 'X-organisation': '1' }),
      ...json,
    }
    const answer = await send({ method, url, headers, body: body && JSON.stringify(body) })
    answers.push({ status: answer.status, text: withoutTimes(answer.text) })
  }
  return answers
}

test.for<[number, Partial<PlainOptions>]>([
  [1, {}],
  [2, { pageSize: 2, pagination: 'cursor', perPage: 'refused' }],
  [3, { ids: 'large-integers', put: 'replaces', text: 'sanitised' }],
  [4, { writes: 'message', unknownRoutes: 405, pagination: 'simple', pageSize: 3 }],
])('seed %i: within the process and over HTTP', async ([seed, options]) => {
  const api = new PlainApi(options)
  const server = await PlainServer.start(options)
  onTestFinished(() => server.stop())
  const overHttp: Send = async ({ method, url, headers, body }) => {
    const sent = headers as Record<string, string>
    const answer = await fetch(server.url + url, { method, headers: sent, ...(body && { body }) })
    return { status: answer.status, text: await answer.text() }
  }
  const within = await converse(async (request) => api.handle(request), seed)
  expect(await converse(overHttp, seed)).toEqual(within)
  // Refusals of every kind, and what was taken.
  const statuses = new Set(within.map(({ status }) => status))
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]))
})
