# The kit as an image. docs/container.md shows how to build and to run it.
FROM node:20.20.2-bookworm-slim AS base

FROM base AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The install scripts of packages only build what the tests use.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY specs ./specs
COPY engine ./engine
COPY helpers ./helpers
COPY suites ./suites
COPY reporting ./reporting
COPY reference ./reference
COPY cli ./cli
COPY scripts/build ./scripts/build
RUN npm run --silent build
# The context contains no repository, so that the build cannot find the commit.
ARG COMMIT=""
RUN if [ -n "$COMMIT" ]; then echo "$COMMIT" > dist/commit.txt; fi

FROM base
ENV NODE_ENV=production
WORKDIR /opt/conformance
COPY package.json package-lock.json LICENSE ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY --from=build /build/dist ./dist
# explain names the line of a check in its source.
COPY --from=build /build/suites ./suites
RUN ln -s /opt/conformance/dist/cli/main.js /usr/local/bin/conformance
ARG COMMIT=""
LABEL org.opencontainers.image.title="Invoicing Network Conformance Kit" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="$COMMIT"
# A number, so that an orchestrator can verify that the user is not root.
USER 1000:1000
# A run without --out writes to reports/ in the working folder, which is then the mounted /reports.
WORKDIR /
ENTRYPOINT ["conformance"]
CMD ["--help"]
