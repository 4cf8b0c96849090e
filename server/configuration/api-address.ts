// Where the API is when it is not this server, and which other origins may call this one.
import { CAPABILITIES } from '../../contract/capabilities.ts'
import { StartError } from '../errors/start-error.ts'
import { readSwitch } from './switches.ts'

/** The API of another server, for which this one serves the app alone. */
export interface ApiAddress {
  /** Origin, and path if it has one, without a trailing slash. */
  url: string
  /** Whether this server passes calls through, instead of the app calling that origin itself. */
  isProxied: boolean
}

type Environment = Record<string, string | undefined>

/** Words of a list. */
const wordsOf = (list: string | undefined) => list?.split(/[\s,]+/).filter(Boolean) ?? []

/** No user info, and no character that could inject a directive into the content security policy. */
const API_URL = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*$/

function isApiUrl(url: string): boolean {
  // Dot segments would lead elsewhere.
  const isNormalised = URL.parse(url)?.href.replace(/\/$/, '') === url.replace(/:(?:80|443)$/, '')
  return API_URL.test(url) && isNormalised
}

/** Throws StartError. */
export function readApiAddress(env: Environment): ApiAddress | undefined {
  const url = env.API_URL?.replace(/\/$/, '')
  const isProxied = readSwitch(env, 'API_PROXY')
  if (!url) {
    if (isProxied) throw new StartError('API_URL missing: API_PROXY passes calls through to it.')
    return undefined
  }
  if (!isApiUrl(url))
    throw new StartError(`API_URL must be like https://api.example.com, not "${url}".`)
  return { url, isProxied }
}

/** Earlier addresses of the API, of which `/` is that of the app itself. Throws StartError. */
export function readFormerAddresses(env: Environment): string[] {
  return wordsOf(env.API_FORMER_URLS).map((url) => {
    if (url !== '/' && !isApiUrl(url.replace(/\/$/, '')))
      throw new StartError(
        `API_FORMER_URLS must be addresses such as https://api.example.com, or /, not "${url}".`,
      )
    return url
  })
}

/** What that API can do, as a list of capabilities; null without one. Throws StartError. */
export function readCapabilities(env: Environment): string | null {
  const list = env.API_CAPABILITIES?.trim()
  if (!list) return null
  for (const item of list.split(',').map((one) => one.trim())) {
    const [, name = ''] = /^([a-z-]+)$/.exec(item) ?? /^(keys)=\d+$/.exec(item) ?? []
    if (!Object.hasOwn(CAPABILITIES, name))
      throw new StartError(
        `API_CAPABILITIES must be a list of ${Object.keys(CAPABILITIES).join(', ')}, not "${item}".`,
      )
  }
  return list
}

/** The origins that may call the API besides its own. Throws StartError. */
export function readCorsOrigins(env: Environment): string[] {
  const origins = wordsOf(env.CORS_ORIGINS)
  for (const origin of origins)
    if (!/^https?:[^*]+$/.test(origin) || URL.parse(origin)?.origin !== origin)
      throw new StartError(
        `CORS_ORIGINS must be origins such as https://app.example.com, not "${origin}".`,
      )
  return origins
}
