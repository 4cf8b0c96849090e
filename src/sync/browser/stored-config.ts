// The last configuration in Cache Storage, for the worker, which cannot read localStorage.

export const CONFIG_CACHE = 'cairn-config'
export const CONFIG_PATH = '/config.json'

/** Stores the configuration as it was read. Rejects on a full device. */
export const storeConfig = async (config: object): Promise<void> =>
  (await caches.open(CONFIG_CACHE)).put(CONFIG_PATH, Response.json(config))
