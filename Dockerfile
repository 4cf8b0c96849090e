# The release is made with everything, and holds what the server needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run release && mkdir /cairn && tar -xzf cairn-*.tar.gz -C /cairn --strip-components=1

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /cairn ./
# A new volume gets this folder's owner and mode.
RUN install -d -m 700 -o node -g node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data DEMO_DATA=0
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which passes no signal on: SIGTERM finishes what runs.
CMD ["node", "cairn"]
