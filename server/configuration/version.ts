// The version of this server, from package.json.
import packageJson from '../../package.json' with { type: 'json' }

/** Such as `0.1.0`. */
export const VERSION: string = packageJson.version
