"""Requests and answers of the API as pydantic models; the OpenAPI document is made of them."""
