// The calls of the specification, section 7.

const ROUTES =
  /^(?:(?:GET|PUT) userinfo|POST verify-token|(?:GET|PUT) notification-consents|(?:GET|POST) organisations|(?:GET|PUT|DELETE) organisations\/[^/]+|POST leave-organisation|GET organisation-users|(?:PUT|DELETE) organisation-users\/[^/]+|POST organisation-invites|(?:GET|POST) (?:accounts|success-plans|initiatives|actions)|(?:GET|PUT|DELETE) (?:accounts|initiatives)\/[^/]+|(?:GET|PATCH|DELETE) success-plans\/[^/]+|(?:GET|POST) success-plans\/[^/]+\/updates|PUT actions|DELETE actions\/[^/]+|(?:GET|POST|DELETE) subscriptions|GET subscriptions\/customer-portal|(?:GET|POST) onboarding)$/
/** Whether the specification has that call; `noun` and `rest` are the segments of its path. */
export const isRoute = (method: string, noun: string, rest: readonly string[]) =>
  ROUTES.test(`${method} ${[noun, ...rest].join('/')}`)
